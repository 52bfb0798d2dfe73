import Dispatch
import PhoneDomain
import Synchronization

/// What waits in a ``ConnectionQueue``.
protocol QueuedOperation: Sendable {
    var kind: StoreBatch.Kind { get }
    /// Throws to the caller: nothing of the operation was kept, or that is unknown.
    var fail: @Sendable (any Error) -> Void { get }
}

/// A client's work on what the transaction of its batch gives it, such as a ``CommandSession``.
struct QueuedWork<Subject>: QueuedOperation {
    let kind: StoreBatch.Kind
    let trace = TraceParent.current
    let work: @Sendable (Subject) throws -> Completion
    let fail: @Sendable (any Error) -> Void

    /// - Parameter answer: called once: a batch answers each of its operations, and an operation is in one batch.
    init<Value: Sendable>(
        _ kind: StoreBatch.Kind,
        then answer: @escaping Callback<Value>,
        _ work: @escaping @Sendable (Subject) throws -> Value
    ) {
        self.kind = kind
        self.work = { subject in
            let value = try work(subject)
            return { answer(.success(value)) }
        }
        fail = { answer(.failure($0)) }
    }

    init<Value: Sendable>(
        _ kind: StoreBatch.Kind,
        _ continuation: UnsafeContinuation<Value, any Error>,
        _ work: @escaping @Sendable (Subject) throws -> Value
    ) {
        self.init(kind, then: { continuation.resume(with: $0) }, work)
    }
}

typealias CommandOperation = QueuedWork<CommandSession>

/// What to do once a transaction is committed: it resumes a caller, or notifies the observers.
typealias Completion = @Sendable () -> Void

/// A connection to a database and the thread that it is used on, which may block, as the threads of Swift's concurrency
/// pool never do.
protocol Engine: Sendable {
    /// Serial.
    var queue: DispatchQueue { get }
    func close()
    static func scope(of error: any Error) -> FailureScope
    /// Why an operation is not taken: that many wait already, or the connection is closed.
    static func refusal(waiting: Int?) -> any Error
}

/// Whom the failure of a batch concerns.
enum FailureScope: Sendable {
    /// Perhaps one of its operations, so that the others may succeed without it.
    case operation
    /// One of them, for which the batch has waited for as long as it may.
    case slowOperation
    case batch
    /// Everybody who waits, for this reason: to try with each batch would make the last one's wait as long as the
    /// queue.
    case queue(any Error)
}

/// Operations that wait for a connection, and the connections that run them: an idle one takes all that wait, up to a
/// limit, and runs them in one transaction (group commit). While one batch is at work the next one gathers; alone a
/// caller waits for no one.
///
/// What costs is the commit, its flush to the disk, and the way to the database and back; all are paid once for a
/// batch. What several commands change is read once and written once. A caller is answered after the commit.
/// Cancelling the caller's task has no effect.
final class ConnectionQueue<Operation: QueuedOperation, E: Engine>: Sendable {
    struct State {
        var waiting: [Operation] = []
        var idle: [E]
        var isClosed = false

        mutating func take(_ limit: Int) -> [Operation] {
            var batch: [Operation] = []
            swap(&batch, &waiting)
            if batch.count > limit {
                waiting += batch[limit...]
                batch.removeSubrange(limit...)
            }
            return batch
        }
    }

    let state: Mutex<State>
    private let engines: [E]
    private let batchLimit: Int
    private let waitingLimit: Int
    private let observer: (any StoreObserver)?
    private let prepare: @Sendable (E) throws -> Void
    private let commit: @Sendable ([Operation], E) throws -> [Completion]

    /// - Parameters:
    ///   - batchLimit: the most operations in a batch, which bounds how long each of them takes.
    ///   - waitingLimit: what comes beyond fails at once, so that a database that hangs costs neither memory nor, when
    ///     it is back, the time for operations whose clients have gone.
    ///   - prepare: waits on the connection's thread until a batch may begin; what arrives meanwhile goes with it. For
    ///     one connection only: another could take all operations meanwhile, and what was prepared would stay open.
    ///   - commit: runs a batch in one transaction on the connection's thread. An operation that fails alone has that
    ///     for an answer. Throws if nothing of any of them was kept.
    init(
        _ engines: [E],
        batchLimit: Int = 256,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)?,
        prepare: @escaping @Sendable (E) throws -> Void = { _ in },
        commit: @escaping @Sendable ([Operation], E) throws -> [Completion]
    ) {
        (self.engines, self.batchLimit, self.waitingLimit) = (engines, batchLimit, waitingLimit)
        (self.observer, self.prepare, self.commit) = (observer, prepare, commit)
        state = Mutex(State(idle: engines))
    }

    func submit(_ operation: Operation) {
        var refusal: (any Error)?
        let engine: E? = state.withLock { state in
            let isFull = state.waiting.count >= waitingLimit
            guard !state.isClosed, !isFull else {
                refusal = E.refusal(waiting: state.isClosed ? nil : waitingLimit)
                return nil
            }
            state.waiting.append(operation)
            return state.idle.popLast()
        }
        if let refusal { operation.fail(refusal) }
        if let engine { engine.queue.async { self.runBatch(on: engine) } }
    }

    /// Refuses further operations, runs those that wait, and closes the connections.
    func close() {
        state.withLock { $0.isClosed = true }
        for engine in engines { engine.close() }
    }

    /// Runs one batch, and then others that wait for the connection.
    private func runBatch(on engine: E) {
        var failure: (any Error)?
        do { try prepare(engine) } catch { failure = error }
        let operations = state.withLock { $0.take(failure == nil ? batchLimit : 0) }
        var (done, size, hasWaited) = (0, operations.count, false)
        while done < operations.count {
            let batch = size == 1 ? [operations[done]] : operations
            let start = ContinuousClock.now
            func record(isFailed: Bool) {
                observer?.observe(
                    StoreBatch(kind: batch[0].kind, operations: size, duration: .now - start, isFailed: isFailed)
                )
            }
            do {
                let completions = try commit(batch, engine)
                record(isFailed: false)
                for complete in completions { complete() }
                done += size
            } catch {
                record(isFailed: true)
                var failed = size
                switch E.scope(of: error) {
                // One that the database refuses must not fail the others: they run one by one, until it is clear that
                // more than one of them waits for too long.
                case .operation where size > 1, .slowOperation where size > 1:
                    size = 1
                    continue
                case .slowOperation where hasWaited: failed = operations.count - done
                case .slowOperation: hasWaited = true
                case .queue(let reason): (failed, failure) = (operations.count - done, reason)
                case .operation, .batch: break
                }
                for operation in operations[done..<done + failed] { operation.fail(error) }
                done += failed
            }
        }
        if let failure { for operation in state.withLock({ $0.take(.max) }) { operation.fail(failure) } }
        let isMoreToDo = state.withLock { state in
            if state.waiting.isEmpty { state.idle.append(engine) }
            return !state.waiting.isEmpty
        }
        if isMoreToDo { engine.queue.async { self.runBatch(on: engine) } }
    }
}
