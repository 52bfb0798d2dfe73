import PhoneDomain
import Records
import Synchronization

/// Does all operations that wait for a connection in one transaction (group commit).
///
/// What costs is the commit, its flush to the disk, and the way to the connection's thread and back; all are paid once
/// for a batch. While one batch is committed the next one gathers: alone a caller waits for no one.
///
/// The commands of a batch share one ``UnitOfWork``: what several of them change is read once and written once. One
/// that fails is undone there alone.
///
/// A caller gets its result after the commit has been flushed (``LogFlush``): an acknowledged change is on the disk.
/// Cancelling the caller's task has no effect.
final class BatchQueue: Sendable {
    /// Resumes a caller with its result.
    private typealias Answer = @Sendable () -> Void

    private struct Operation: Sendable {
        enum Work: Sendable {
            /// Changes records.
            case command(@Sendable (UnitOfWork) throws -> Answer)
            /// Runs statements, and so must find what commands have changed in the tables.
            case statements(@Sendable (SQLiteConnection) throws -> Answer)
        }

        /// Returns what to call after the commit.
        let work: Work
        /// Call if nothing of the operation was kept.
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
    private let access: SQLiteConnection.Access
    private let types: RecordTypes
    private let kinds: Set<Event.Kind>
    private let files: DatabaseFiles?
    private let log: LogFlush?
    private let checkpoint: LogCheckpoint?
    /// So that no operation waits for long, and other processes get their turn.
    private let limit = 256
    private let waitingLimit: Int
    private let observer: (any StoreObserver)?
    private let waiting = Mutex(Waiting())
    /// Used for one transaction after the other, on the connection's queue alone. What it knows is so until somebody
    /// else writes to the database: most messages are settled, and most codes checked, soon after they were made, and
    /// then nothing has to be read again.
    private nonisolated(unsafe) var unit: UnitOfWork?
    /// How many records it may know: some 10 MB.
    private static let knownLimit = 16_384

    /// - Parameters:
    ///   - files: the files of the database, if it has any; an operation succeeds only while they are in place.
    ///   - log: has callers wait until their result is on the disk; without it, the commit is enough.
    ///   - waitingLimit: the most operations that wait for a transaction. What comes beyond fails at once, so that a
    ///     database
    ///     that hangs costs neither memory nor, when it is back, the time for operations whose callers have gone.
    init(
        _ connection: ConnectionQueue,
        access: SQLiteConnection.Access,
        records types: RecordTypes = .core,
        announcing kinds: Set<Event.Kind> = [],
        files: DatabaseFiles? = nil,
        log: LogFlush? = nil,
        checkpoint: LogCheckpoint? = nil,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)? = nil
    ) {
        (self.connection, self.access, self.types, self.kinds) = (connection, access, types, kinds)
        (self.files, self.log, self.checkpoint) = (files, log, checkpoint)
        (self.waitingLimit, self.observer) = (waitingLimit, observer)
    }

    /// Does a command in a transaction, together with others, which it sees if they came before.
    ///
    /// - Parameter work: if it throws, nothing of it is kept. It may be done twice, since another that cannot be saved
    ///   makes it necessary to begin anew: it must do nothing but use the unit of work.
    func perform<Value: Sendable>(_ work: @escaping @Sendable (UnitOfWork) throws -> Value) async throws -> Value {
        // Resumed once: a batch answers each of its operations, and an operation is in one batch.
        try await withUnsafeThrowingContinuation { continuation in
            let command = Operation.Work.command { unit in
                let value = try work(unit)
                return { continuation.resume(returning: value) }
            }
            enqueue(Operation(work: command, fail: { continuation.resume(throwing: $0) }, awaitsFlush: true))
        }
    }

    /// Runs statements in a transaction, together with other operations, as ``perform(_:)`` does a command.
    ///
    /// - Parameter awaitingFlush: whether what is read must be on the disk before it is returned.
    func run<Value: Sendable>(
        awaitingFlush: Bool = true,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        try await withUnsafeThrowingContinuation { continuation in
            let statements = Operation.Work.statements { connection in
                let value = try work(connection)
                return { continuation.resume(returning: value) }
            }
            enqueue(
                Operation(work: statements, fail: { continuation.resume(throwing: $0) }, awaitsFlush: awaitingFlush)
            )
        }
    }

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

    /// One way to the connection's thread per batch, so that readers of a connection shared with writers get their
    /// turn.
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
        if access == .writing { log?.commitBegins() }
        let result = Result {
            try observer.measuring(access == .writing ? .write : .read, operations: batch.count) {
                try commit(batch, in: db)
            }
        }
        defer { answer(batch, result) }
        guard case .failure(let error) = result else { return nil }
        note(error)
        return error
    }

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

    /// Does the operations in one transaction. If it throws, nothing of any of them was kept.
    private func commit(_ batch: [Operation], in db: SQLiteConnection) throws -> [Answer] {
        // Few operations cannot be saved. A savepoint for each would make SQLite copy every page before it is changed,
        // to be able to undo one of them alone, and that takes longer than the operations themselves.
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
        let unit = unit ?? UnitOfWork(db, of: types, announcing: kinds)
        self.unit = unit
        do {
            return try db.transaction(access) {
                if access == .writing, try db.hasOthersWritten() || unit.keyCount > Self.knownLimit { unit.forget() }
                unit.beginTransaction()
                var answers: [Answer] = []
                answers.reserveCapacity(batch.count)
                for operation in batch { answers.append(try perform(operation, unit, apart: apart, in: db)) }
                try unit.save(to: db)
                // At the last moment, so that nothing is returned of files that are no longer there, and what fails for
                // that is undone.
                try files?.requireInPlace()
                return answers
            }
        } catch {
            // What it knows was not kept.
            unit.forget()
            throw error
        }
    }

    /// - Throws: if the whole transaction is lost. A full disk or a failing one makes SQLite undo all of it at once
    ///   (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); whatever came
    ///   next would be a transaction of its own, and be kept though its caller hears that it was not.
    private func perform(
        _ operation: Operation,
        _ unit: UnitOfWork,
        apart: Bool,
        in db: SQLiteConnection
    ) throws -> Answer {
        // What fails here is what commands before this one have left.
        if case .statements = operation.work { try unit.save(to: db) }
        do {
            switch operation.work {
            case .command(let work):
                guard apart else { return try unit.attempt(work) }
                // What was undone in the tables must not be known to the next, nor what was saved be undone there.
                defer { unit.forget() }
                return try db.savepoint {
                    let answer = try work(unit)
                    try unit.save(to: db)
                    return answer
                }
            case .statements(let work):
                defer {
                    unit.forget()
                    db.endOperation()
                }
                return access == .reading ? try work(db) : try db.savepoint { try work(db) }
            }
        } catch {
            guard db.isInTransaction else { throw error }
            note(error)
            return { operation.fail(error) }
        }
    }
}
