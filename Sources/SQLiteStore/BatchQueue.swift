import PhoneDomain
import Records
import Synchronization

/// Does all operations that wait for a connection in one transaction (group commit).
///
/// What costs is the commit, a flush to the disk, and the way to the connection's thread and back; so both are paid
/// once for a batch. While one batch is committed the next one gathers: alone a caller waits for no one, and the more
/// callers there are, the less each of them costs.
///
/// The commands of a batch share one ``UnitOfWork``: what several of them change is read once and written once. One that fails is
/// undone there, and the others do not notice.
///
/// A caller gets its result after the commit has been flushed (``LogFlush``) and not before: an acknowledged change is on the
/// disk. Cancelling the caller's task has no effect: the operation is in the batch, and only its result can be returned.
final class BatchQueue: Sendable {
    enum Access {
        /// Of one moment; never waits for a writer.
        case reading
        /// Alone: locks the database at the beginning.
        case writing
    }

    /// Tells a caller of the outcome.
    private typealias Answer = @Sendable () -> Void

    /// An operation that waits for its turn, and the caller who waits for its outcome.
    private struct Operation: Sendable {
        enum Work: Sendable {
            /// Changes records.
            case command(@Sendable (UnitOfWork) throws -> Answer)
            /// Runs statements, and so must find what commands have changed in the tables.
            case statements(@Sendable (SQLiteConnection) throws -> Answer)
        }

        /// Returns how to resume the caller with its value, which may be done only after the commit.
        let work: Work
        /// Tells the caller that nothing of the operation was kept.
        let fail: @Sendable (any Error) -> Void
        /// Whether what it reads must be on the disk before it is returned.
        let awaitsFlush: Bool
    }

    private struct Waiting {
        var operations: [Operation] = []
        /// Whether a batch is scheduled or at work, so that none need be scheduled.
        var isServed = false

        mutating func takeBatch(limit: Int) -> [Operation] {
            let batch = Array(operations.prefix(limit))
            operations.removeFirst(batch.count)
            return batch
        }
    }

    let connection: ConnectionQueue
    /// Why the disk did not take what was written, until it does again; see ``SQLiteStore/ping()``.
    let diskFailure = Mutex<SQLiteStoreError?>(nil)
    private let access: Access
    private let kinds: Set<Event.Kind>
    private let files: DatabaseFiles?
    private let log: LogFlush?
    private let checkpoint: LogCheckpoint?
    private let limit: Int
    private let waitingLimit: Int
    private let observer: (any StoreObserver)?
    private let waiting = Mutex(Waiting())

    /// - Parameters:
    ///   - kinds: which events commands announce.
    ///   - files: the files of the database, if it has any; an operation succeeds only while they are in place.
    ///   - log: has callers wait until their result is on the disk; without it, the commit is enough.
    ///   - checkpoint: copies the log to the database, if it has one.
    ///   - limit: the most operations in a transaction, so that none waits for long and other processes get their turn.
    ///   - waitingLimit: the most operations that wait for a transaction; whatever comes beyond fails at once, so that
    ///     a database that hangs costs neither memory nor, when it is back, the time for operations whose callers have gone.
    ///   - observer: observes each batch, before the callers are resumed.
    init(
        _ connection: ConnectionQueue,
        access: Access,
        announcing kinds: Set<Event.Kind> = [],
        files: DatabaseFiles? = nil,
        log: LogFlush? = nil,
        checkpoint: LogCheckpoint? = nil,
        limit: Int = 256,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)? = nil
    ) {
        self.connection = connection
        self.access = access
        self.kinds = kinds
        self.files = files
        self.log = log
        self.checkpoint = checkpoint
        self.limit = limit
        self.waitingLimit = waitingLimit
        self.observer = observer
    }

    /// Does a command in a transaction, together with others, which it sees if they came before.
    ///
    /// - Parameter work: if it throws, nothing of it is kept, and the others do not notice. It may be done twice, since
    ///   another that cannot be saved makes it necessary to begin anew: it must do nothing but use the unit of work.
    /// - Throws: what the work throws, and ``SQLiteStoreError`` if the transaction fails.
    func perform<Value: Sendable>(
        _ work: @escaping @Sendable (UnitOfWork) throws -> Value
    ) async throws -> Value {
        try await enqueue(awaitingFlush: true) { continuation in
            .command { unit in
                let value = try work(unit)
                return { continuation.resume(returning: value) }
            }
        }
    }

    /// Runs statements in a transaction, together with other operations, as ``perform(_:)`` does a command.
    ///
    /// - Parameter awaitingFlush: whether what is read must be on the disk before it is returned.
    func run<Value: Sendable>(
        awaitingFlush: Bool = true,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await enqueue(awaitingFlush: awaitingFlush) { continuation in
            .statements { connection in
                let value = try work(connection)
                return { continuation.resume(returning: value) }
            }
        }
    }

    private func enqueue<Value: Sendable>(
        awaitingFlush: Bool,
        _ work: (CheckedContinuation<Value, any Error>) -> Operation.Work
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                Operation(
                    work: work(continuation),
                    fail: { continuation.resume(throwing: $0) },
                    awaitsFlush: awaitingFlush
                )
            )
        }
    }

    /// How many operations wait for a batch.
    var waitingCount: Int { waiting.withLock { $0.operations.count } }

    /// Whether callers wait until their result is on the disk.
    var isFlushed: Bool { log != nil }

    private func enqueue(_ operation: Operation) {
        let (isTaken, wasServed) = waiting.withLock { waiting in
            guard waiting.operations.count < waitingLimit else { return (false, true) }
            waiting.operations.append(operation)
            defer { waiting.isServed = true }
            return (true, waiting.isServed)
        }
        if !isTaken { operation.fail(SQLiteStoreError.overloaded(waiting: waitingLimit)) }
        if !wasServed { scheduleBatch() }
    }

    /// One way to the connection's thread per batch, so that readers of a connection shared with writers get their turn.
    private func scheduleBatch() {
        guard access == .writing, let log else { return beginBatch() }
        log.whenFree { self.beginBatch() }
    }

    private func beginBatch() {
        connection.async { [self] db in
            let error = perform(waiting.withLock { $0.takeBatch(limit: limit) }, in: db)
            // What came while another process kept the lock has waited for it as well. To wait once more for each
            // batch would make the last one's wait as long as the queue.
            if let error = error as? SQLiteStoreError, error.isBusy {
                for operation in waiting.withLock({ $0.takeBatch(limit: .max) }) { operation.fail(error) }
            }
            checkpoint?.batchEnded(in: db)
            let isMoreToDo = waiting.withLock { waiting in
                waiting.isServed = !waiting.operations.isEmpty
                return waiting.isServed
            }
            if isMoreToDo { scheduleBatch() }
        }
    }

    /// - Returns: why the batch was lost, if it was.
    private func perform(_ batch: [Operation], in db: SQLiteConnection) -> (any Error)? {
        let start = ContinuousClock.now
        if access == .writing { log?.commitBegins() }
        let result = Result { try commit(batch, in: db) }
        var failure: (any Error)?
        if case .failure(let error) = result {
            note(error)
            failure = error
        }
        observer?.observe(
            StoreBatch(
                kind: access == .writing ? .write : .read,
                operations: batch.count,
                duration: .now - start,
                isFailed: failure != nil
            )
        )
        answer(batch, result)
        return failure
    }

    /// Remembers that the disk is full or fails.
    private func note(_ error: any Error) {
        guard let error = error as? SQLiteStoreError, error.isOfDisk else { return }
        diskFailure.withLock { $0 = error }
    }

    /// Resumes the callers, as soon as their results are on the disk.
    private func answer(_ batch: [Operation], _ result: Result<[Answer], any Error>) {
        let resume: Answer =
            switch result {
            case .success(let answers): { for answer in answers { answer() } }
            case .failure(let error): { for operation in batch { operation.fail(error) } }
            }
        guard let log else { return resume() }
        let waiter = LogFlush.Waiter(resume: resume) { error in for operation in batch { operation.fail(error) } }
        switch access {
        case .writing: log.commitEnded(waiter)
        // What was read may have been committed by a batch that is still to be flushed.
        case .reading:
            if batch.contains(where: \.awaitsFlush) { log.afterCommits(waiter) } else { resume() }
        }
    }

    /// Does the operations in one transaction.
    ///
    /// - Returns: how to resume the callers with their results.
    /// - Throws: if nothing of any of them was kept.
    private func commit(_ batch: [Operation], in db: SQLiteConnection) throws -> [Answer] {
        // Few operations cannot be saved. A savepoint for each would make SQLite copy every page before it is changed, to be
        // able to undo one of them alone, and that takes longer than the operations themselves.
        do {
            return try commit(batch, apart: false, in: db)
        } catch  where (error as? SQLiteStoreError)?.isOfOneOperation ?? true {
            guard batch.count > 1 else { return batch.map { operation in { operation.fail(error) } } }
            return try commit(batch, apart: true, in: db)
        }
    }

    /// - Parameter apart: whether each operation is saved by itself, so that what one of them does can be undone alone.
    private func commit(_ batch: [Operation], apart: Bool, in db: SQLiteConnection) throws -> [Answer] {
        if access == .writing {
            try log?.requireSound()
            try checkpoint?.requireSound()
        }
        return try db.transaction(access == .writing ? .immediate : .deferred) {
            let unit = access == .writing ? UnitOfWork(db, announcing: kinds) : nil
            var answers: [Answer] = []
            answers.reserveCapacity(batch.count)
            for operation in batch { answers.append(try perform(operation, unit, apart: apart, in: db)) }
            try unit?.save(to: db)
            // At the last moment, so that nothing is returned of files that are no longer there, and what fails for that is
            // undone.
            try files?.requireInPlace()
            return answers
        }
    }

    /// Does one operation.
    ///
    /// - Returns: how to resume the caller.
    /// - Throws: if the whole transaction is lost. A full disk or a failing one makes SQLite undo all of it at once
    ///   (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); whatever came
    ///   next would be a transaction of its own, and be kept though its caller hears that it was not.
    private func perform(
        _ operation: Operation,
        _ unit: UnitOfWork?,
        apart: Bool,
        in db: SQLiteConnection
    ) throws -> Answer {
        // What fails here is what commands before this one have left.
        if case .statements = operation.work { try unit?.save(to: db) }
        do {
            switch (operation.work, unit) {
            case (.command(let work), let unit?):
                guard apart else { return try Self.perform(work, unit) }
                return try db.savepoint {
                    // What was undone in the tables must not be known here, nor what was saved be undone here.
                    defer { unit.forget() }
                    let answer = try work(unit)
                    try unit.save(to: db)
                    return answer
                }
            case (.statements(let work), let unit):
                defer {
                    unit?.forget()
                    db.endOperation()
                }
                return unit == nil ? try work(db) : try db.savepoint { try work(db) }
            case (.command, nil): preconditionFailure("a command on a connection for reading")
            }
        } catch {
            guard db.isInTransaction else { throw error }
            note(error)
            return { operation.fail(error) }
        }
    }

    private static func perform(_ work: (UnitOfWork) throws -> Answer, _ unit: UnitOfWork) throws -> Answer {
        let mark = unit.mark
        do {
            return try work(unit)
        } catch {
            unit.rollBack(to: mark)
            throw error
        }
    }
}
