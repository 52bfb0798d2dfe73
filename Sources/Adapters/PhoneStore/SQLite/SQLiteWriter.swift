import PhoneDomain
import Synchronization

/// The connection that changes a database.
final class SQLiteWriter: Sendable {
    let connection: SQLiteThread
    /// Why the disk did not take what was written, until it does again; see ``SQLiteStore/ping()``.
    let diskFailure = Mutex<SQLiteStoreError?>(nil)
    let checkpoint: LogCheckpoint?
    private let files: DatabaseFiles?
    private let events: EventSubscription
    private let observer: (any StoreObserver)?
    /// - Parameter files: of the database, if it has any; an operation succeeds only while they are in place.
    init(
        _ connection: SQLiteThread,
        announcing events: EventSubscription,
        files: DatabaseFiles?,
        checkpoint: LogCheckpoint?,
        observer: (any StoreObserver)?
    ) {
        (self.connection, self.events) = (connection, events)
        (self.files, self.checkpoint, self.observer) = (files, checkpoint, observer)
    }

    /// Runs commands in one transaction. One that throws after it has saved something undoes all of them, and the queue
    /// runs them one by one: a savepoint for each would cost every command, and none throws then but for a fault.
    ///
    /// - Parameter usesStatements: whether they work with the connection, so that they are undone by the transaction
    ///   alone.
    func commit(_ commands: [CommandOperation], usesStatements: Bool = false) throws -> [Completion] {
        let db = connection.connection
        defer { if usesStatements { db.endOperation() } }
        do {
            db.announcesAudit = events.announcesAudit
            try checkpoint?.requireSound()
            try db.begin(.writing)
            let records = SQLiteSession(db)
            let session = CommandSession(.sqlite(records), announcing: events.kinds)
            var completions: [Completion] = []
            for command in commands {
                session.begin(command)
                do {
                    completions.append(try command.work(session))
                } catch {
                    // A full disk or a failing one makes SQLite undo all of the transaction at once
                    // (https://www.sqlite.org/lang_transaction.html, "Response To Errors Within A Transaction"); what
                    // came next would be kept though its caller hears that it was not.
                    guard db.isInTransaction, !usesStatements, !session.hasChanged else { throw error }
                    session.undo()
                    note(error)
                    completions.append { command.fail(error) }
                }
            }
            try records.end()
            let effects = session.effects
            try db.append(effects.auditEntries)
            // At the last moment, so that nothing is returned of files that are no longer there, and what fails for
            // that is undone.
            try files?.requireInPlace()
            try db.commit()
            completions.insert({ [observer, events] in effects.notify(observer, events) }, at: 0)
            // Last, so that no caller waits for the disk.
            if let checkpoint {
                completions.append { [connection] in checkpoint.batchEnded(in: connection.connection) }
            }
            return completions
        } catch {
            db.rollBack()
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
