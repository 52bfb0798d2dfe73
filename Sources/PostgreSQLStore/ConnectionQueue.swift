import Dispatch
import PhoneDomain
import Records
import Synchronization

/// An operation of a ``ConnectionQueue``.
protocol QueuedOperation: Sendable {
    /// Throws to the caller: nothing of the operation was kept, or that is unknown.
    var fail: @Sendable (any Error) -> Void { get }
}

/// Operations that wait for a connection, and the connections that run them: an idle one takes all that wait, up to a
/// limit.
///
/// While one batch is at the server the next one gathers.
final class ConnectionQueue<Operation: QueuedOperation>: Sendable {
    private struct State {
        var waiting: [Operation] = []
        var idle: [ConnectionThread]
        var isClosed = false
    }

    private let state: Mutex<State>
    private let connections: [ConnectionThread]
    private let batchLimit: Int
    /// What comes beyond fails at once, so that a database that hangs costs neither memory nor, when it is back, the
    /// time for operations whose clients have gone.
    private let waitingLimit = 10_000
    private let prepare: @Sendable (ConnectionThread) throws -> Void
    private let run: @Sendable ([Operation], ConnectionThread) -> Bool

    /// - Parameters:
    ///   - batchLimit: the most operations in a batch, which bounds how long each of them takes.
    ///   - prepare: waits on the connection's thread until a batch may begin; what arrives meanwhile goes with it. For
    ///     one
    ///     connection only: another could take all operations meanwhile, and what was prepared would stay open.
    ///   - run: runs a batch on the connection's thread and answers the callers. It returns whether there is a server.
    init(
        _ connections: [ConnectionThread],
        batchLimit: Int,
        prepare: @escaping @Sendable (ConnectionThread) throws -> Void = { _ in },
        run: @escaping @Sendable ([Operation], ConnectionThread) -> Bool
    ) {
        (self.connections, self.batchLimit, self.prepare, self.run) = (connections, batchLimit, prepare, run)
        state = Mutex(State(idle: connections))
    }

    func submit(_ operation: Operation) {
        let (connection, refusal): (ConnectionThread?, PostgreSQLStoreError?) = state.withLock { state in
            guard !state.isClosed else { return (nil, .closed) }
            guard state.waiting.count < waitingLimit else { return (nil, .overloaded(waiting: waitingLimit)) }
            state.waiting.append(operation)
            return (state.idle.popLast(), nil)
        }
        if let refusal { operation.fail(refusal) }
        if let connection { connection.schedule { self.runBatches(on: connection) } }
    }

    /// Refuses further operations, runs those that wait, and closes the connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for connection in connections { connection.close() }
    }

    private func runBatches(on connection: ConnectionThread) {
        while hasWork(for: connection) {
            let turn = Result { try prepare(connection) }
            let batch = takeBatch()
            // Another connection may have taken them meanwhile.
            guard !batch.isEmpty else { continue }
            let isServerThere: Bool
            switch turn {
            case .success: isServerThere = run(batch, connection)
            case .failure(let error):
                for operation in batch { operation.fail(error) }
                isServerThere = (error as? PostgreSQLStoreError)?.isOfServer != true
            }
            guard !isServerThere else { continue }
            // What has gathered meanwhile has waited for the server as well.
            let stranded = state.withLock { state in
                defer { state.waiting = [] }
                return state.waiting
            }
            for operation in stranded {
                operation.fail(PostgreSQLStoreError.unreachable(reason: "it was not there for others either"))
            }
        }
    }

    /// Whether something waits; otherwise the connection is idle.
    private func hasWork(for connection: ConnectionThread) -> Bool {
        state.withLock { state in
            if state.waiting.isEmpty { state.idle.append(connection) }
            return !state.waiting.isEmpty
        }
    }

    private func takeBatch() -> [Operation] {
        state.withLock { state in
            let batch = Array(state.waiting.prefix(batchLimit))
            state.waiting.removeFirst(batch.count)
            return batch
        }
    }
}

/// A connection with a thread of its own, which may block; the threads of Swift's concurrency pool never do. It
/// connects when it is first needed, and again when the connection is lost.
// Sendable by proof: `options` and `queue` never change. `connection` and `isClosed` are touched in `perform(_:)`,
// which stops the program unless it is on `queue`, in what it calls, and in the block of `close()` on `queue`; and a
// serial queue runs one block after the other. The last reference goes when no block on the queue has one.
final class ConnectionThread: @unchecked Sendable {
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

    /// - Returns: whether there is a server.
    static func run(
        _ operations: [ReadOperation],
        on connection: ConnectionThread,
        _ observer: (any StoreObserver)?
    ) -> Bool {
        func exchange(isLast: Bool) throws -> [Result<[QueryResult], PostgreSQLStoreError>] {
            try observer.measuring(.read, operations: operations.count) {
                try connection.perform { connection in
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
            return true
        } catch {
            for operation in operations { operation.fail(error) }
            return (error as? PostgreSQLStoreError)?.isOfServer != true
        }
    }
}
