import Dispatch
import PhoneDomain
import Records

/// A connection with a thread of its own. It connects when it is first needed, and again when the connection is lost.
// Sendable by proof: `options` and `queue` never change. `connection` and `isClosed` are touched in `perform(_:)`,
// which stops the program unless it is on `queue`, in what it calls, and in the block of `close()` on `queue`; and a
// serial queue runs one block after the other. The last reference goes when no block on the queue has one.
final class PostgreSQLThread: ConnectionThread, @unchecked Sendable {
    private let options: ConnectionOptions
    private let queue: DispatchQueue
    private var connection: Connection?
    private var isClosed = false

    init(_ options: ConnectionOptions, label: String) {
        self.options = options
        queue = DispatchQueue(label: "phoneproof.postgresql.\(label)")
    }

    func schedule(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }

    /// Does work on this thread, with an open connection.
    func run<Value: Sendable>(_ work: @escaping @Sendable (Connection) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            schedule { continuation.resume(with: Result { try self.perform(work) }) }
        }
    }

    /// Closes the connection for good, after what is scheduled.
    func close() {
        queue.async { [self] in
            isClosed = true
            connection = nil
        }
    }

    /// Does work with an open connection. Call on this thread.
    func perform<Value>(_ work: (Connection) throws -> Value) throws -> Value {
        dispatchPrecondition(condition: .onQueue(queue))
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
    }

    /// Does work with an open connection, and anew where others were first or the connection was lost before the
    /// commit.
    func retrying<Value>(_ work: (Connection) throws -> Value) throws -> Value {
        for _ in 1..<8 {
            do {
                return try perform(work)
            } catch let error as PostgreSQLStoreError where error.isRetryable {}
        }
        do {
            return try perform(work)
        } catch let error as PostgreSQLStoreError {
            // What was prepared is gone on every connection.
            if case .failed("26000", _) = error { throw PostgreSQLStoreError.sessionShared }
            if case .failed = error, error.isRetryable { throw PostgreSQLStoreError.conflict }
            throw error
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

// MARK: - Reads

/// A query that changes nothing. Those that wait together are sent together; each succeeds or fails by itself.
struct ReadOperation: QueuedOperation {
    let query: Query
    let finish: @Sendable (QueryResult) -> Void
    let fail: @Sendable (any Error) -> Void

    /// - Returns: why there is no server, if there is none.
    static func run(
        _ operations: [ReadOperation],
        on thread: PostgreSQLThread,
        _ observer: (any StoreObserver)?
    ) -> (any Error)? {
        func exchange(isLast: Bool) throws -> [Result<[QueryResult], PostgreSQLStoreError>] {
            try observer.measuring(.read, operations: operations.count) {
                try thread.perform { connection in
                    let results = try connection.exchange(operations.map { [$0.query] })
                    for case .failure(let error) in results where error.isRetryable && !isLast { throw error }
                    return results
                }
            }
        }
        do {
            let results: [Result<[QueryResult], PostgreSQLStoreError>]
            do {
                results = try exchange(isLast: false)
            } catch let error as PostgreSQLStoreError where error.isRetryable {
                // Nothing was changed, so it may be read again.
                results = try exchange(isLast: true)
            }
            for (operation, result) in zip(operations, results) {
                switch result {
                case .success(let rows): if let row = rows.first { operation.finish(row) }
                case .failure(let error): operation.fail(error)
                }
            }
            return nil
        } catch {
            for operation in operations { operation.fail(error) }
            return PostgreSQLStoreError.strands(error)
        }
    }
}
