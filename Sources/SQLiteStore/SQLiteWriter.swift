import PhoneDomain
import Records
import Synchronization

/// The connection that changes a database, for the group commit of its store.
final class SQLiteWriter: Engine {
    let connection: SQLiteThread
    /// Why the disk did not take what was written, until it does again; see ``SQLiteStore/ping()``.
    let diskFailure = Mutex<SQLiteStoreError?>(nil)
    let checkpoint: LogCheckpoint?
    private let files: DatabaseFiles?
    private let types: RecordTypes
    private let kinds: Set<Event.Kind>
    /// Used for one transaction after the other, on the connection's thread alone. What it knows is so until somebody
    /// else writes to the database: most messages are settled, and most codes checked, soon after they were made, and
    /// then nothing has to be read again.
    private nonisolated(unsafe) var unit: UnitOfWork?
    /// How many records it may know: some 10 MB.
    private static let knownLimit = 16_384

    /// - Parameter files: of the database, if it has any; an operation succeeds only while they are in place.
    init(
        _ connection: SQLiteThread,
        records types: RecordTypes,
        announcing kinds: Set<Event.Kind>,
        files: DatabaseFiles?,
        checkpoint: LogCheckpoint?
    ) {
        (self.connection, self.types, self.kinds) = (connection, types, kinds)
        (self.files, self.checkpoint) = (files, checkpoint)
    }

    func commit(_ commands: [CommandOperation], on thread: SQLiteThread) throws -> [Answer] {
        try change(thread.connection) { db, unit in
            unit.beginTransaction()
            var answers: [Answer] = []
            answers.reserveCapacity(commands.count)
            for command in commands {
                do {
                    answers.append(try unit.attempt(command))
                } catch {
                    // A full disk or a failing one makes SQLite undo all of the transaction at once
                    // (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); what
                    // came next would be kept though its caller hears that it was not.
                    guard db.isInTransaction else { throw error }
                    note(error)
                    answers.append(Answer(error, to: command))
                }
            }
            try unit.save(to: db)
            return answers
        }
    }

    /// Runs statements in a transaction of their own.
    ///
    /// - Returns: why all others that wait would fail, too.
    func run(_ statements: Statements, _ observer: (any StoreObserver)?) -> (any Error)? {
        do {
            let resume = try observer.measuring(.write, operations: 1) {
                try change(connection.connection) { db, unit in
                    // What they change it does not know.
                    defer {
                        unit.forget()
                        db.endOperation()
                    }
                    return try statements.work(db)
                }
            }
            resume()
            return nil
        } catch {
            statements.fail(error)
            return scope(of: error) == .queue ? error : nil
        }
    }

    private func change<Value>(
        _ db: SQLiteConnection,
        _ work: (SQLiteConnection, UnitOfWork) throws -> Value
    ) throws -> Value {
        let unit = unit ?? UnitOfWork(db, of: types, announcing: kinds)
        self.unit = unit
        do {
            try checkpoint?.requireSound()
            return try db.transaction(.writing) {
                if try db.hasOthersWritten() || unit.keyCount > Self.knownLimit { unit.forget() }
                let value = try work(db, unit)
                // At the last moment, so that nothing is returned of files that are no longer there, and what fails for
                // that is undone.
                try files?.requireInPlace()
                return value
            }
        } catch {
            // What it knows was not kept.
            unit.forget()
            note(error)
            throw error
        }
    }

    private func note(_ error: any Error) {
        guard let error = error as? SQLiteStoreError, error.isOfDisk else { return }
        diskFailure.withLock { $0 = error }
    }

    func scope(of error: any Error) -> FailureScope {
        guard let error = error as? SQLiteStoreError else { return .command }
        return error.isBusy ? .queue : error.isOfOneOperation ? .command : .batch
    }
}

/// Statements that read, or that search for the rows that they change.
struct Statements: QueuedOperation {
    /// Returns what resumes the caller.
    let work: @Sendable (SQLiteConnection) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void

    init<Value: Sendable>(
        _ continuation: UnsafeContinuation<Value, any Error>,
        _ work: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) {
        self.work = { db in
            let value = try work(db)
            return { continuation.resume(returning: value) }
        }
        fail = { continuation.resume(throwing: $0) }
    }

    /// Reads in one transaction, and answers each caller.
    ///
    /// - Returns: why all others that wait would fail, too.
    static func read(
        _ batch: [Statements],
        on db: SQLiteConnection,
        _ files: DatabaseFiles?,
        _ observer: (any StoreObserver)?
    ) -> (any Error)? {
        do {
            let answers = try observer.measuring(.read, operations: batch.count) {
                try db.transaction(.reading) {
                    let answers = try batch.map { statements -> @Sendable () -> Void in
                        defer { db.endOperation() }
                        do {
                            return try statements.work(db)
                        } catch {
                            guard db.isInTransaction else { throw error }
                            return { statements.fail(error) }
                        }
                    }
                    try files?.requireInPlace()
                    return answers
                }
            }
            for answer in answers { answer() }
            return nil
        } catch {
            for statements in batch { statements.fail(error) }
            return (error as? SQLiteStoreError)?.isBusy == true ? error : nil
        }
    }
}
