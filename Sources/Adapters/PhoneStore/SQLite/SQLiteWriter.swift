import PhoneDomain
import Synchronization

/// The connection that changes a database.
final class SQLiteWriter: Sendable {
    let connection: SQLiteThread
    /// Why the disk did not take what was written, until it does again; see ``SQLiteStore/ping()``.
    let diskFailure = Mutex<SQLiteStoreError?>(nil)
    let checkpoint: LogCheckpoint?
    private let files: DatabaseFiles?
    private let types: RecordTypes
    private let events: EventSubscription
    private let observer: (any StoreObserver)?
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
        announcing events: EventSubscription,
        files: DatabaseFiles?,
        checkpoint: LogCheckpoint?,
        observer: (any StoreObserver)?
    ) {
        (self.connection, self.types, self.events) = (connection, types, events)
        (self.files, self.checkpoint, self.observer) = (files, checkpoint, observer)
    }

    /// Runs commands over one ``UnitOfWork``, and saves what they leave in one transaction.
    ///
    /// - Parameter usesStatements: whether they work with the connection, so that what they change is not known to the
    ///   unit of work, and is undone with the transaction alone.
    func commit(_ commands: [CommandOperation], usesStatements: Bool = false) throws -> [Completion] {
        let db = connection.connection
        defer { if usesStatements { db.endOperation() } }
        do {
            try checkpoint?.requireSound()
            try db.begin(.writing)
            if try db.hasOthersWritten() || (unit?.keyCount ?? 0) > Self.knownLimit { unit = nil }
            let unit = unit ?? UnitOfWork(db, of: types, announcing: events.kinds)
            self.unit = unit
            unit.beginTransaction()
            var completions: [Completion] = []
            for command in commands {
                unit.begin(command)
                do {
                    completions.append(try command.work(unit))
                } catch {
                    unit.undo()
                    // A full disk or a failing one makes SQLite undo all of the transaction at once
                    // (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); what
                    // came next would be kept though its caller hears that it was not.
                    guard db.isInTransaction, !usesStatements else { throw error }
                    note(error)
                    completions.append { command.fail(error) }
                }
            }
            let effects = try unit.save(to: db)
            // At the last moment, so that nothing is returned of files that are no longer there, and what fails for
            // that is undone.
            try files?.requireInPlace()
            try db.commit()
            completions.insert({ [observer, events] in effects.notify(observer, events) }, at: 0)
            if usesStatements { self.unit = nil }
            // Last, so that no caller waits for the disk.
            if let checkpoint {
                completions.append { [connection] in checkpoint.batchEnded(in: connection.connection) }
            }
            return completions
        } catch {
            db.rollBack()
            // What it knows was not kept.
            unit = nil
            note(error)
            if case .fileReplaced = error as? SQLiteStoreError { withdrawLog(db) }
            throw error
        }
    }

    /// If another database has been put in the place of this one, that would be damaged by this one's log, which SQLite
    /// leaves there: what is in it goes into the file that it belongs to, wherever that is, and it is removed. Call on
    /// the connection's thread, as soon as that is known: the process may be killed.
    func withdrawLog(_ db: SQLiteConnection) {
        guard let files, files.isReplaced, files.hasLog, (try? checkpoint?.requireSound()) != nil,
            (try? db.copyLog()) == true
        else { return }
        files.removeLog()
    }

    private func note(_ error: any Error) {
        guard let error = error as? SQLiteStoreError, error.isOfDisk else { return }
        diskFailure.withLock { $0 = error }
    }
}
