import GRDB
import PhoneDomain
import Synchronization

/// A connection that does all operations that wait for it in one transaction (group commit).
///
/// What costs is the commit, a flush to the disk, and the way to the connection's thread and back; so both are paid
/// once for a batch. While one batch is committed the next one gathers: alone a caller waits for no one, and the more
/// callers there are, the less each of them costs.
///
/// A caller is answered after the commit and not before: what it has been told is on the disk. It is not heeded if its
/// task is cancelled meanwhile: the operation is in the batch, and its outcome is the only thing to be told.
final class BatchedConnection: Sendable {
    enum Access {
        /// Of one moment; never waits for a writer.
        case reading
        /// Alone: locks the database at the beginning, since two processes that both read first and want to write
        /// then would wait for each other (https://www.sqlite.org/lang_transaction.html, "BEGIN IMMEDIATE").
        case writing
    }

    let connection: DatabaseQueue
    private let access: Access
    private let files: DatabaseFiles?
    private let limit: Int
    private let waitingLimit: Int
    private let observer: (any StoreObserver)?
    private let waiting = Mutex(Waiting())

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
    ///   - limit: the most operations in a transaction, so that none waits for long and other processes get their turn.
    ///   - waitingLimit: the most operations that wait for a transaction; whatever comes beyond fails at once, so that
    ///     a database that hangs costs neither memory nor, when it is back, the time for what nobody waits for any more.
    ///   - observer: is told of each batch, before the callers are answered.
    init(
        _ connection: DatabaseQueue,
        access: Access,
        files: DatabaseFiles? = nil,
        limit: Int = 256,
        waitingLimit: Int = 10_000,
        observer: (any StoreObserver)? = nil
    ) {
        self.connection = connection
        self.access = access
        self.files = files
        self.limit = limit
        self.waitingLimit = waitingLimit
        self.observer = observer
    }

    /// Does the work in a transaction, together with that of others, which it sees if they came before.
    ///
    /// - Parameter work: if it throws, nothing of it is kept, and the others do not notice.
    /// - Throws: what the work throws, and ``SQLiteStoreError`` if the transaction fails.
    func perform<Value: Sendable>(_ work: @escaping @Sendable (Database) throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            enqueue(
                PendingOperation(
                    work: { db in
                        let value = try work(db)
                        return { continuation.resume(returning: value) }
                    },
                    fail: { continuation.resume(throwing: $0) }
                )
            )
        }
    }

    /// How many operations wait for a batch.
    var waitingCount: Int {
        waiting.withLock { $0.operations.count }
    }

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
        connection.asyncWriteWithoutTransaction { [self] db in
            let outcome = perform(waiting.withLock { $0.takeBatch(limit: limit) }, in: db)
            // Whoever came while another process kept the lock has waited for it as well. To wait once more for each
            // batch would make the last one's wait as long as the queue.
            if case .failed(let error) = outcome, error.isBusy {
                let failure = Self.told(error)
                for operation in waiting.withLock({ $0.takeBatch(limit: .max) }) { operation.fail(failure) }
            }
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
    }

    private func perform(_ batch: [PendingOperation], in db: Database) -> Outcome {
        var answers: [@Sendable () -> Void] = []
        let outcome: Outcome
        let start = ContinuousClock.now
        var isFailed = false
        do {
            try db.inTransaction(access == .writing ? .immediate : .deferred) {
                answers = try batch.map { try perform($0, in: db) }
                // At the last moment, so that nothing is told of files that are no longer there, and what fails for
                // that is undone.
                try files?.requireInPlace()
                return .commit
            }
            outcome = .committed
        } catch {
            let failure = Self.told(error)
            answers = batch.map { operation in { operation.fail(failure) } }
            outcome = .failed(error)
            isFailed = true
        }
        observer?.observe(
            StoreBatch(
                kind: access == .writing ? .write : .read,
                operations: batch.count,
                duration: .now - start,
                isFailed: isFailed
            )
        )
        for answer in answers { answer() }
        return outcome
    }

    /// Does one operation in a savepoint of its own.
    ///
    /// - Returns: how to tell the caller of the outcome.
    /// - Throws: if the whole transaction is lost. A full disk or a failing one makes SQLite undo all of it at once
    ///   (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); whatever came
    ///   next would be a transaction of its own, and be kept though its caller hears that it was not.
    private func perform(_ operation: PendingOperation, in db: Database) throws -> @Sendable () -> Void {
        try db.run("SAVEPOINT operation")
        do {
            let answer = try operation.work(db)
            try db.run("RELEASE operation")
            return answer
        } catch {
            guard db.isInsideTransaction else { throw error }
            try db.run("ROLLBACK TO operation")
            try db.run("RELEASE operation")
            let failure = Self.told(error)
            return { operation.fail(failure) }
        }
    }

    private static func told(_ error: any Error) -> any Error {
        (error as? DatabaseError).map(SQLiteStoreError.init) ?? error
    }
}

extension Error {
    /// Whether another connection kept the lock for longer than the busy timeout.
    fileprivate var isBusy: Bool {
        (self as? DatabaseError)?.resultCode == .SQLITE_BUSY
    }
}
