import Synchronization

/// An operation of a ``ConnectionQueue``.
public protocol QueuedOperation: Sendable {
    /// Throws to the caller: nothing of the operation was kept, or that is unknown.
    var fail: @Sendable (any Error) -> Void { get }
}

/// A thread that one connection is used on; it may block, as the threads of Swift's concurrency pool never do.
public protocol ConnectionThread: Sendable {
    func schedule(_ work: @escaping @Sendable () -> Void)
    func close()
}

/// Operations that wait for a connection, and the connections that run them: an idle one takes all that wait, up to a
/// limit. While one batch is at work the next one gathers; alone a caller waits for no one.
///
/// Cancelling the caller's task has no effect.
public final class ConnectionQueue<Operation: QueuedOperation, Thread: ConnectionThread>: Sendable {
    private struct State {
        var waiting: [Operation] = []
        var idle: [Thread]
        var isClosed = false

        mutating func take(_ limit: Int) -> [Operation] {
            let batch = Array(waiting.prefix(limit))
            waiting.removeFirst(batch.count)
            return batch
        }
    }

    private let state: Mutex<State>
    private let threads: [Thread]
    private let batchLimit: Int
    private let waitingLimit: Int
    private let refusal: @Sendable (_ waiting: Int?) -> any Error
    private let prepare: @Sendable (Thread) throws -> Void
    private let run: @Sendable ([Operation], Thread) -> (any Error)?

    /// - Parameters:
    ///   - batchLimit: the most operations in a batch, which bounds how long each of them takes.
    ///   - waitingLimit: what comes beyond fails at once, so that a database that hangs costs neither memory nor, when
    ///     it is back, the time for operations whose clients have gone.
    ///   - refusal: why an operation is not taken: that many wait already, or the queue is closed.
    ///   - prepare: waits on the connection's thread until a batch may begin; what arrives meanwhile goes with it. For
    ///     one connection only: another could take all operations meanwhile, and what was prepared would stay open.
    ///   - run: runs a batch on the connection's thread and answers the callers. It returns why all others that wait
    ///     would fail as well: to try with each batch would make the last one's wait as long as the queue.
    public init(
        _ threads: [Thread],
        batchLimit: Int = 256,
        waitingLimit: Int = 10_000,
        refusal: @escaping @Sendable (_ waiting: Int?) -> any Error,
        prepare: @escaping @Sendable (Thread) throws -> Void = { _ in },
        run: @escaping @Sendable ([Operation], Thread) -> (any Error)?
    ) {
        (self.threads, self.batchLimit, self.waitingLimit) = (threads, batchLimit, waitingLimit)
        (self.refusal, self.prepare, self.run) = (refusal, prepare, run)
        state = Mutex(State(idle: threads))
    }

    public var waitingCount: Int { state.withLock { $0.waiting.count } }

    public func submit(_ operation: Operation) {
        let (thread, error): (Thread?, (any Error)?) = state.withLock { state in
            guard !state.isClosed else { return (nil, refusal(nil)) }
            guard state.waiting.count < waitingLimit else { return (nil, refusal(waitingLimit)) }
            state.waiting.append(operation)
            return (state.idle.popLast(), nil)
        }
        if let error { operation.fail(error) }
        if let thread { thread.schedule { self.runBatch(on: thread) } }
    }

    /// Refuses further operations, runs those that wait, and closes the connections.
    public func close() {
        state.withLock { $0.isClosed = true }
        for thread in threads { thread.close() }
    }

    /// One batch, and then others that wait for the thread.
    private func runBatch(on thread: Thread) {
        var failure: (any Error)?
        do {
            try prepare(thread)
            let batch = state.withLock { $0.take(batchLimit) }
            // Another connection may have taken them meanwhile.
            if !batch.isEmpty { failure = run(batch, thread) }
        } catch {
            failure = error
        }
        if let failure { for operation in state.withLock({ $0.take(.max) }) { operation.fail(failure) } }
        let isMoreToDo = state.withLock { state in
            if state.waiting.isEmpty { state.idle.append(thread) }
            return !state.waiting.isEmpty
        }
        if isMoreToDo { thread.schedule { self.runBatch(on: thread) } }
    }
}
