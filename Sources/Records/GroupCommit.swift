public import PhoneDomain

/// A client's work on records, which shares a transaction with others.
public struct CommandOperation: QueuedOperation {
    /// The trace that it belongs to.
    let trace: TraceParent?
    /// Does it, and returns what resumes the caller.
    let work: @Sendable (UnitOfWork) throws -> @Sendable () -> Void
    public let fail: @Sendable (any Error) -> Void

    /// - Parameter continuation: resumed once: a batch answers each of its operations, and an operation is in one
    ///   batch.
    public init<Value: Sendable>(
        _ continuation: UnsafeContinuation<Value, any Error>,
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) {
        trace = .current
        self.work = { unit in
            let value = try work(unit)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }

    init(
        work: @escaping @Sendable (UnitOfWork) throws -> @Sendable () -> Void,
        fail: @escaping @Sendable (any Error) -> Void
    ) { (trace, self.work, self.fail) = (nil, work, fail) }
}

/// What to do once a command is kept, or was refused alone.
public struct Answer: Sendable {
    let effects: StoreEffects
    let resume: @Sendable () -> Void

    init(effects: StoreEffects, _ resume: @escaping @Sendable () -> Void) {
        (self.effects, self.resume) = (effects, resume)
    }

    public init(_ error: any Error, to operation: CommandOperation) {
        self.init(effects: StoreEffects()) { operation.fail(error) }
    }
}

/// What a database does for the group commit of its store.
public protocol Engine: Sendable {
    associatedtype Thread: Sendable

    /// Runs commands over one ``UnitOfWork``, and saves what they leave in one transaction. One that fails is undone
    /// alone, and that is its answer.
    ///
    /// - Throws: if nothing of any of them was kept.
    func commit(_ commands: [CommandOperation], on thread: Thread) throws -> [Answer]

    func scope(of error: any Error) -> FailureScope
}

/// Whom the failure of a batch concerns.
public enum FailureScope: Sendable {
    /// Perhaps one of its commands, so that the others may succeed without it.
    case command
    /// One of them, for which the batch has waited for as long as it may.
    case slowCommand
    case batch
    /// Everybody who waits: they would not fare better at this moment.
    case queue
}

/// Does all commands that wait for a connection in one transaction.
///
/// What costs is the commit, its flush to the disk, and the way to the database and back; all are paid once for a
/// batch. What several commands change is read once and written once. A caller is answered after the commit.
public struct GroupCommit<E: Engine>: Sendable {
    private let engine: E
    private let events: EventSubscription
    private let observer: (any StoreObserver)?

    public init(_ engine: E, events: EventSubscription, observer: (any StoreObserver)?) {
        (self.engine, self.events, self.observer) = (engine, events, observer)
    }

    /// - Returns: why all others that wait would fail, too.
    public func run(_ commands: [CommandOperation], on thread: E.Thread) -> (any Error)? {
        var (rest, size, slowCount) = (commands[...], commands.count, 0)
        while !rest.isEmpty {
            let batch = Array(rest.prefix(size))
            do {
                let answers = try observer.measuring(.write, operations: batch.count) {
                    try engine.commit(batch, on: thread)
                }
                for answer in answers {
                    answer.effects.notify(observer, events)
                    answer.resume()
                }
                rest.removeFirst(batch.count)
            } catch {
                let scope = engine.scope(of: error)
                // One that the database refuses must not fail the others: they run one by one, until it is clear that
                // more than one of them waits for too long.
                if batch.count > 1, scope == .command || scope == .slowCommand {
                    size = 1
                    continue
                }
                if scope == .slowCommand { slowCount += 1 }
                let failed = scope == .queue || slowCount > 1 ? rest : rest.prefix(size)
                for command in failed { command.fail(error) }
                if scope == .queue { return error }
                rest.removeFirst(failed.count)
            }
        }
        return nil
    }
}
