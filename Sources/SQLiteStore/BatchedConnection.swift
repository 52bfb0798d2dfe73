import GRDB
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
    private let limit: Int
    private let didCommit: @Sendable (_ operations: Int) -> Void
    private let waiting = Mutex(Waiting())

    private struct Waiting {
        var operations: [PendingOperation] = []
        /// Whether a batch is scheduled or at work, so that nobody need schedule one.
        var isServed = false

        mutating func takeBatch(limit: Int) -> [PendingOperation] {
            let batch = Array(operations.prefix(limit))
            operations.removeFirst(batch.count)
            return batch
        }
    }

    /// - Parameters:
    ///   - limit: the most operations in a transaction, so that none waits for long and other processes get their turn.
    ///   - didCommit: called after each commit, before the callers are answered.
    init(
        _ connection: DatabaseQueue,
        access: Access,
        limit: Int = 256,
        didCommit: @escaping @Sendable (_ operations: Int) -> Void = { _ in }
    ) {
        self.connection = connection
        self.access = access
        self.limit = limit
        self.didCommit = didCommit
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
        let wasServed = waiting.withLock { waiting in
            waiting.operations.append(operation)
            defer { waiting.isServed = true }
            return waiting.isServed
        }
        if !wasServed { scheduleBatch() }
    }

    /// One way to the connection's thread per batch, so that readers of a connection shared with writers get their turn.
    private func scheduleBatch() {
        connection.asyncWriteWithoutTransaction { [self] db in
            perform(waiting.withLock { $0.takeBatch(limit: limit) }, in: db)
            let isMoreToDo = waiting.withLock { waiting in
                waiting.isServed = !waiting.operations.isEmpty
                return waiting.isServed
            }
            if isMoreToDo { scheduleBatch() }
        }
    }

    private func perform(_ batch: [PendingOperation], in db: Database) {
        var answers: [@Sendable () -> Void] = []
        do {
            try db.inTransaction(access == .writing ? .immediate : .deferred) {
                answers = try batch.map { try perform($0, in: db) }
                return .commit
            }
            didCommit(batch.count)
        } catch {
            let failure = Self.told(error)
            answers = batch.map { operation in { operation.fail(failure) } }
        }
        for answer in answers { answer() }
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
