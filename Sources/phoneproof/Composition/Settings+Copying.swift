import Glibc
import PhoneCLI
import PhoneDomain
import SQLiteStore

/// The two databases of a copy.
extension Settings {
    /// The store that is copied. Nothing is made, and nothing migrated.
    ///
    /// - Throws: ``Failure`` where there is none or it is in use, else what the store throws.
    func source(at database: Database) throws -> any PortableStore {
        try requireUnused(database)
        return try at(database).existingStore()
    }

    /// The store that is copied into, made and migrated if need be.
    ///
    /// - Throws: ``Failure`` where it is in use, else what the store throws.
    func target(at database: Database) throws -> any PortableStore {
        guard database.isKept else {
            throw Failure(.configuration, "a database in memory is gone when the copy is done; name another by --to")
        }
        try requireUnused(database)
        return try Core.openStore(at(database))
    }

    private func at(_ database: Database) -> Settings {
        var settings = self
        settings.database = database
        settings.migratesAtStart = true
        return settings
    }

    private func requireUnused(_ database: Database) throws {
        guard case .file(let path) = database, let process = SQLiteStore.process(usingDatabaseAt: path) else { return }
        let who = process > 0 ? "process \(process)" : "another process"
        throw Failure(.failed, "\(who) has \(path) open; stop the service, and whatever else uses it, and copy then")
    }
}

extension Settings.Database {
    /// Whether it outlives the program.
    var isKept: Bool {
        guard case .memory = self else { return true }
        return false
    }

    /// Whether this is surely the same database as the other.
    func isSame(as other: Settings.Database) -> Bool {
        guard case .file(let path) = self, case .file(let otherPath) = other else { return false }
        if path == otherPath { return true }
        var (one, another) = (stat(), stat())
        guard stat(path, &one) == 0, stat(otherPath, &another) == 0 else { return false }
        return one.st_dev == another.st_dev && one.st_ino == another.st_ino
    }
}
