import GRDB
import PhoneDomain
import Synchronization

/// A connection that does all operations that wait for it in one transaction (group commit).
///
/// What costs is the commit, a flush to the disk, and the way to the connection's thread and back; so both are paid
/// once for a batch. While one batch is committed the next one gathers: alone a caller waits for no one, and the more
/// callers there are, the less each of them costs.
///
/// A caller is answered after the commit has been flushed (``LogFlush``) and not before: what it has been told is on the
/// disk. It is not heeded if its
/// task is cancelled meanwhile: the operation is in the batch, and its outcome is the only thing to be told.
final class BatchedConnection: Sendable {
    enum Access {
        /// Of one moment; never waits for a writer.
        case reading
        /// Alone: locks the database at the beginning.
        case writing
    }

    let connection: DatabaseQueue
    private let access: Access
    private let files: DatabaseFiles?
    private let log: LogFlush?
    private let checkpoint: LogCheckpoint?
    private let limit: Int
    private let waitingLimit: Int
    private let observer: (any StoreObserver)?
    private let waiting = Mutex(Waiting())
    /// Why the disk did not take what was written, until it does again; see ``SQLiteStore/ping()``.
    let diskFailure = Mutex<SQLiteStoreError?>(nil)

    private struct Waiting {
        var operations: [PendingOperation] = []
        /// Whether a batch is scheduled or at work, so that nobody need schedule one.
        var isServed = false

        /// - Returns: whether there was room for it.
        mutating func take(_ operation: PendingOperation, limit: Int) -> Bool {
            guard operations.count < limit else { return false }
            operations.append(operation)
            return true
        }

        mutating func takeBatch(limit: Int) -> [PendingOperation] {
            let batch = Array(operations.prefix(limit))
            operations.removeFirst(batch.count)
            return batch
        }
    }

    /// - Parameters:
    ///   - files: the files of the database, if it has any; an operation succeeds only while they are in place.
    ///   - log: has callers wait until what they are told is on the disk; without it, the commit is enough.
    ///   - checkpoint: copies the log to the database, if it has one.
    ///   - limit: the most operations in a transaction, so that none waits for long and other processes get their turn.
    ///   - waitingLimit: the most operations that wait for a transaction; whatever comes beyond fails at once, so that
    ///     a database that hangs costs neither memory nor, when it is back, the time for what nobody waits for any more.
    ///   - observer: is told of each batch, before the callers are answered.
    init(
        _ connection: DatabaseQueue,
        access: Access,
        files: DatabaseFiles? = nil,
        log: LogFlush? = nil,
        checkpoint: LogCheckpoint? = nil,
        limit: Int = 256,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)? = nil
    ) {
        self.connection = connection
        self.access = access
        self.files = files
        self.log = log
        self.checkpoint = checkpoint
        self.limit = limit
        self.waitingLimit = waitingLimit
        self.observer = observer
    }

    /// Does the work in a transaction, together with that of others, which it sees if they came before.
    ///
    /// - Parameters:
    ///   - awaitingFlush: whether what is read must be on the disk before it is told.
    ///   - work: if it throws, nothing of it is kept, and the others do not notice. It may be done twice, since
    ///   another that fails makes it necessary to begin anew: it must do nothing but use the database.
    /// - Throws: what the work throws, and ``SQLiteStoreError`` if the transaction fails.
    func perform<Value: Sendable>(
        awaitingFlush: Bool = true,
        _ work: @escaping @Sendable (Batch) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                PendingOperation(
                    work: { batch in
                        let value = try work(batch)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) },
                    awaitsFlush: awaitingFlush
                )
            )
        }
    }

    /// How many operations wait for a batch.
    var waitingCount: Int {
        waiting.withLock { $0.operations.count }
    }

    /// Whether callers wait until what they are told is on the disk.
    var isFlushed: Bool { log != nil }

    private func enqueue(_ operation: PendingOperation) {
        let (isTaken, wasServed) = waiting.withLock { waiting in
            guard waiting.take(operation, limit: waitingLimit) else { return (false, true) }
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
        connection.asyncWriteWithoutTransaction { [self] db in
            let outcome = perform(waiting.withLock { $0.takeBatch(limit: limit) }, in: db)
            // Whoever came while another process kept the lock has waited for it as well. To wait once more for each
            // batch would make the last one's wait as long as the queue.
            if case .failed(let error) = outcome, error.isBusy {
                let failure = error.asToldByStore
                for operation in waiting.withLock({ $0.takeBatch(limit: .max) }) { operation.fail(failure) }
            }
            checkpoint?.batchEnded(in: db)
            let isMoreToDo = waiting.withLock { waiting in
                waiting.isServed = !waiting.operations.isEmpty
                return waiting.isServed
            }
            if isMoreToDo { scheduleBatch() }
        }
    }

    private enum Outcome {
        case committed
        case failed(any Error)

        var isFailed: Bool {
            switch self {
            case .committed: false
            case .failed: true
            }
        }
    }

    private func perform(_ batch: [PendingOperation], in db: Database) -> Outcome {
        let start = ContinuousClock.now
        if access == .writing { log?.commitBegins() }
        let result = Result { try commit(batch, in: db) }
        let outcome: Outcome
        switch result {
        case .success: outcome = .committed
        case .failure(let error):
            note(error)
            outcome = .failed(error)
        }
        observer?.observe(
            StoreBatch(
                kind: access == .writing ? .write : .read,
                operations: batch.count,
                duration: .now - start,
                isFailed: outcome.isFailed
            )
        )
        answer(batch, result)
        return outcome
    }

    /// Remembers that the disk is full or fails.
    private func note(_ error: any Error) {
        guard let error = error as? DatabaseError, [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) else {
            return
        }
        diskFailure.withLock { $0 = SQLiteStoreError(error) }
    }

    /// Tells the callers, as soon as what they are told is on the disk.
    private func answer(_ batch: [PendingOperation], _ result: Result<[@Sendable () -> Void], any Error>) {
        let tell: @Sendable () -> Void
        switch result {
        case .success(let answers): tell = { for answer in answers { answer() } }
        case .failure(let error):
            let failure = error.asToldByStore
            tell = { for operation in batch { operation.fail(failure) } }
        }
        guard let log else { return tell() }
        let waiter = LogFlush.Waiter(tell: tell) { error in for operation in batch { operation.fail(error) } }
        switch access {
        case .writing: log.commitEnded(waiter)
        // What was read may have been committed by a batch that is still to be flushed.
        case .reading:
            if batch.contains(where: \.awaitsFlush) { log.afterCommits(waiter) } else { tell() }
        }
    }

    /// Does the operations in one transaction.
    ///
    /// - Returns: how to tell the callers what came of them.
    /// - Throws: if nothing of any of them was kept.
    private func commit(_ batch: [PendingOperation], in db: Database) throws -> [@Sendable () -> Void] {
        // Few operations fail. A savepoint for each would make SQLite copy every page before it is changed, to be able to
        // undo one of them alone, and that takes longer than the operations themselves.
        var hasFailed = false
        do {
            return try transact(in: db) {
                do {
                    let common = Batch(db)
                    let answers = try batch.map { try $0.work(common) }
                    try common.letGo()
                    return answers
                } catch {
                    // Where SQLite has undone the transaction itself, there is nothing to keep apart.
                    hasFailed = db.isInsideTransaction
                    throw error
                }
            }
        } catch {
            guard hasFailed else { throw error }
            return try transact(in: db) { try batch.map { try perform($0, in: db) } }
        }
    }

    private func transact(
        in db: Database,
        _ work: () throws -> [@Sendable () -> Void]
    ) throws -> [@Sendable () -> Void] {
        if access == .writing {
            try log?.requireSound()
            try checkpoint?.requireSound()
        }
        return try db.transact(access == .writing ? .writing : .reading) {
            let answers = try work()
            // At the last moment, so that nothing is told of files that are no longer there, and what fails for that is
            // undone.
            try files?.requireInPlace()
            return answers
        }
    }

    /// Does one operation in a savepoint of its own, holding no rows in common with others.
    ///
    /// - Returns: how to tell the caller of the outcome.
    /// - Throws: if the whole transaction is lost. A full disk or a failing one makes SQLite undo all of it at once
    ///   (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); whatever came
    ///   next would be a transaction of its own, and be kept though its caller hears that it was not.
    private func perform(_ operation: PendingOperation, in db: Database) throws -> @Sendable () -> Void {
        try db.run("SAVEPOINT operation")
        do {
            let alone = Batch(db)
            let answer = try operation.work(alone)
            try alone.letGo()
            try db.run("RELEASE operation")
            return answer
        } catch {
            guard db.isInsideTransaction else { throw error }
            note(error)
            try db.run("ROLLBACK TO operation")
            try db.run("RELEASE operation")
            let failure = error.asToldByStore
            return { operation.fail(failure) }
        }
    }
}

extension Error {
    /// As callers of the store are told of it.
    var asToldByStore: any Error {
        (self as? DatabaseError).map(SQLiteStoreError.init) ?? self
    }

    /// Whether another connection kept the lock for longer than the busy timeout.
    fileprivate var isBusy: Bool {
        (self as? DatabaseError)?.resultCode == .SQLITE_BUSY
    }
}
