import Glibc
import PhoneCLI
import PhoneDomain
import SQLiteStore

/// The stores, by what the settings name. No other file knows which kinds there are.
extension Settings {
    /// The store of a service, made and migrated if need be.
    ///
    /// - Throws: what the store throws.
    func openStore() throws -> any CompleteStore {
        switch database {
        case .memory: try SQLiteStore.inMemory()
        case .file(let path): try open(path, migrating: migratesAtStart)
        case .postgresql: throw Self.notYet
        }
    }

    /// The store that a running or stopped service has left, for commands that look at it or mend it: it is neither
    /// made nor migrated.
    ///
    /// - Throws: ``Failure`` where there is none, else what the store throws.
    func existingStore() throws -> any CompleteStore {
        switch database {
        case .memory:
            throw Failure(.configuration, "the database is in memory; name that of the service by database.url")
        case .file(let path):
            guard access(path, F_OK) == 0 else {
                throw Failure(
                    .configuration,
                    "there is no database at \(path); name that of the service by database.url"
                )
            }
            return try open(path, migrating: false)
        case .postgresql: throw Self.notYet
        }
    }

    /// Brings the tables of the database to the current schema.
    ///
    /// - Throws: what the store throws.
    func migrateStore() throws {
        switch database {
        case .memory: break
        case .file(let path):
            Self.keepFilesToOneself()
            try SQLiteStore.migrate(path: path, busyTimeout: databaseBusyTimeout)
        case .postgresql: throw Self.notYet
        }
    }

    private static let notYet = Failure(.configuration, "this version keeps nothing in PostgreSQL yet")

    private func open(_ path: String, migrating: Bool) throws -> SQLiteStore {
        Self.keepFilesToOneself()
        return try SQLiteStore(
            path: path,
            migrating: migrating,
            durability: isDurable ? .full : .normal,
            busyTimeout: databaseBusyTimeout
        )
    }

    /// SQLite makes files by the mask alone, and what they hold is for their owner.
    private static func keepFilesToOneself() {
        umask(0o077)
    }
}
