import Glibc
import PhoneCLI
import PhoneDomain
import PostgreSQLStore
import Records
import SQLiteStore

/// The two databases of a copy.
extension Settings {
    /// The store that is copied. Nothing is made, and nothing migrated.
    ///
    /// - Throws: ``Failure`` where there is none or it is in use, else what the store throws.
    func source(at database: Database) throws -> any PortableStore {
        let settings = copying(database)
        try settings.requireUnused()
        return try settings.existingStore()
    }

    /// The store that is copied into, made and migrated if need be.
    ///
    /// - Throws: ``Failure`` where it is in use, else what the store throws.
    func target(at database: Database) throws -> any PortableStore {
        if case .memory = database {
            throw Failure(.configuration, "a database in memory is gone when the copy is done; name another by --to")
        }
        let settings = copying(database)
        try settings.requireUnused()
        return try settings.openStore()
    }

    private func copying(_ database: Database) -> Settings {
        var settings = self
        settings.database = database
        settings.migratesAtStart = true
        // Nobody waits for an answer, and to count the rows of a large table takes its time.
        settings.databaseBusyTimeout = max(databaseBusyTimeout, .seconds(60))
        return settings
    }

    private func requireUnused() throws {
        switch database {
        case .memory: break
        case .file(let path):
            guard let process = SQLiteStore.process(usingDatabaseAt: path) else { return }
            let who = process > 0 ? "process \(process)" : "another process"
            throw Failure(
                .failed,
                "\(who) has \(path) open; stop the service, and whatever else uses it, and copy then"
            )
        case .postgresql(let url):
            let count = try PostgreSQLStore.sessionCount(url: url, timeout: databaseBusyTimeout)
            guard count > 0 else { return }
            throw Failure(
                .failed,
                "\(count == 1 ? "1 connection" : "\(count) connections") of this program to \(database) are open; stop every "
                    + "instance, and copy then"
            )
        }
    }
}

extension Settings.Database {
    /// Whether this is surely the same database as the other.
    func isSame(as other: Settings.Database) -> Bool {
        switch (self, other) {
        case (.file(let path), .file(let otherPath)):
            if path == otherPath { return true }
            var (one, another) = (stat(), stat())
            guard stat(path, &one) == 0, stat(otherPath, &another) == 0 else { return false }
            return one.st_dev == another.st_dev && one.st_ino == another.st_ino
        case (.postgresql(let url), .postgresql(let otherURL)): return url == otherURL
        default: return false
        }
    }
}
