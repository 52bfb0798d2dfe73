import Dispatch
import PhoneDomain

/// A connection with a thread of its own. It connects when it is first needed, and again when the connection is lost.
// Sendable by proof: `options` and `queue` never change. `connection` and `isClosed` are touched in `perform(_:)`,
// which stops the program unless it is on `queue`, in what it calls, and in the block of `close()` on `queue`; and a
// serial queue runs one block after the other. The last reference goes when no block on the queue has one.
final class PostgreSQLThread: Engine, @unchecked Sendable {
    private let options: ConnectionOptions
    let queue: DispatchQueue
    private var connection: Connection?
    private var isClosed = false

    init(_ options: ConnectionOptions, label: String) {
        self.options = options
        queue = DispatchQueue(label: "phoneproof.postgresql.\(label)")
    }

    static func scope(of error: any Error) -> FailureScope {
        guard let error = error as? PostgreSQLStoreError else {
            return error is UnreadableRecord ? .operation : .batch
        }
        if error.isOfServer {
            return .queue(PostgreSQLStoreError.unreachable(reason: "it was not there for others either"))
        }
        return error == .waitedTooLong ? .slowOperation : error.mayBeOfOneOperation ? .operation : .batch
    }

    static func refusal(waiting: Int?) -> any Error {
        waiting.map { PostgreSQLStoreError.overloaded(waiting: $0) } ?? .closed
    }

    /// Does work on this thread, with an open connection.
    func run<Value: Sendable>(_ work: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try self.perform(work) }) }
        }
    }

    /// Closes the connection for good, after what is scheduled.
    func close() {
        queue.async { [self] in
            isClosed = true
            connection = nil
        }
    }

    /// Begins the transaction of the next batch of requests, once no other instance has one under way.
    ///
    /// They go one after the other in any case, since all of them change the counters of the service. One that waits
    /// here has not taken its operations yet: with three instances it then takes twice as many, and each costs a third
    /// less.
    func awaitTurn() throws {
        try perform { connection in
            do {
                _ = try connection.exchange([.begin, .requestLock])
                connection.hasBegun = true
            } catch {
                connection.rollBack()
                throw error
            }
        }
    }

    /// Does work with an open connection, and anew where others were first or the connection was lost before the
    /// commit. Call on this thread.
    func perform<Value>(attempts: Int = 8, _ work: (Connection) throws -> Value) throws -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            let connection = try open()
            do {
                return try work(connection)
            } catch {
                // disk_full: https://www.postgresql.org/docs/current/errcodes-appendix.html
                if let error = error as? PostgreSQLStoreError, case .failed("53100", _) = error {
                    options.servers.inUse.diskFailure = error
                }
                let needsAnother = (error as? PostgreSQLStoreError)?.asksForAnotherConnection ?? false
                if needsAnother || !connection.isUsable { self.connection = nil }
                throw error
            }
        } catch let error as PostgreSQLStoreError where error.isRetryable {
            guard attempts == 1 else { return try perform(attempts: attempts - 1, work) }
            guard case .failed(let sqlState, _) = error else { throw error }
            // What was prepared is gone on every connection.
            throw sqlState == "26000" ? PostgreSQLStoreError.sessionShared : .conflict
        }
    }

    private func open() throws(PostgreSQLStoreError) -> Connection {
        guard !isClosed else { throw .closed }
        // The server may have been restarted, or the others have moved on to its successor: that need not cost an
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

/// A query that changes nothing. Those that wait together are sent together; each succeeds or fails by itself.
struct ReadOperation: QueuedOperation {
    let query: Query
    let result: QueuedWork<QueryResult>
    var kind: StoreBatch.Kind { .read }
    var fail: @Sendable (any Error) -> Void { result.fail }

    static func run(_ operations: [ReadOperation], on thread: PostgreSQLThread) throws -> [Completion] {
        var isRepeated = false
        return try thread.perform { connection in
            let results = try connection.exchange(operations.map { [$0.query] })
            for case .failure(let error) in results where error.isRetryable && !isRepeated {
                // Nothing was changed, so it may be read again.
                isRepeated = true
                throw error
            }
            return zip(operations, results).compactMap { operation, result -> Completion? in
                do {
                    return try result.get().first.map(operation.result.work)
                } catch {
                    return { operation.fail(error) }
                }
            }
        }
    }
}
