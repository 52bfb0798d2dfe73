import Dispatch

/// A connection with a thread of its own, which may wait as it likes: the server's threads never do.
///
/// It connects when it is first needed and anew when the connection is gone.
// Sendable by proof: `options` and `queue` never change. `connection` and `isClosed` are touched in `perform(_:)`, which
// stops the program unless it is on `queue`, in what it calls, and in the block of `close()` on `queue`; and a serial
// queue does one thing after the other. The last reference ends them, when nothing is on the queue that could hold one.
final class Worker: @unchecked Sendable {
    private let options: ConnectionOptions
    private let queue: DispatchQueue
    private var connection: Connection?
    private var isClosed = false

    init(_ options: ConnectionOptions, label: String) {
        self.options = options
        queue = DispatchQueue(label: "phoneproof.postgresql.\(label)")
    }

    /// Has work done on the worker's thread.
    func schedule(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    /// Does work with an open connection on the worker's thread, and tells of it.
    func perform(
        _ work: @escaping @Sendable (Connection) throws -> Void,
        then finish: @escaping @Sendable (Result<Void, any Error>) -> Void
    ) {
        queue.async { [self] in finish(Result { try perform(work) }) }
    }

    /// Closes the connection for good, after what is scheduled.
    func close() {
        queue.async { [self] in
            isClosed = true
            connection = nil
        }
    }

    /// Does work with an open connection. To be called on the worker's thread.
    ///
    /// - Throws: what the work throws, or why there is no connection.
    func perform<Value>(
        _ work: (Connection) throws -> Value
    ) throws -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
        let connection = try open()
        do {
            return try work(connection)
        } catch {
            // disk_full: https://www.postgresql.org/docs/current/errcodes-appendix.html
            if let error = error as? PostgreSQLStoreError, case .failed("53100", _) = error {
                options.servers.inUse.diskFailure = error
            }
            let isOfNoUse = (error as? PostgreSQLStoreError)?.asksForAnotherConnection ?? false
            if isOfNoUse || !connection.isUsable { self.connection = nil }
            throw error
        }
    }

    private func open() throws(PostgreSQLStoreError) -> Connection {
        guard !isClosed else { throw .closed }
        // A server that was restarted has hung up since, or others have moved on to its successor: that need not cost an
        // operation.
        if let connection, connection.server == options.servers.inUse.index, connection.isAlive() { return connection }
        connection = nil
        if let failure = options.servers.inUse.failure { throw failure }
        do throws(PostgreSQLStoreError) {
            let opened = try Connection.open(options)
            connection = opened
            options.servers.inUse.recordSuccess()
            return opened
        } catch {
            options.servers.inUse.recordFailure(error)
            throw error
        }
    }
}
