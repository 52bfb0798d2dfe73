import Glibc
import Logging
import PhoneCLI
import PhoneDomain
import PostgreSQLStore
import Records
import SQLiteStore

/// The stores, by what the settings name. No other file knows which kinds there are.
extension Settings {
    /// The store of a service, made and migrated if need be.
    ///
    /// - Parameters:
    ///   - events: what is announced when it changes.
    ///   - observer: is told what it does.
    /// - Throws: what the store throws.
    func openStore(
        announcing events: EventSubscription = .none,
        _ observer: (any StoreObserver)? = nil
    ) throws -> any CompleteStore {
        switch database {
        case .memory: try SQLiteStore.inMemory(announcing: events, observer: observer)
        case .file(let path): try open(path, migrating: migratesAtStart, announcing: events, observer)
        case .postgresql(let url): try connect(to: url, migrating: migratesAtStart, announcing: events, observer)
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
            return try open(path, migrating: false, StoreLog(logger: .standardError(level: .warning)))
        case .postgresql(let url):
            return try connect(to: url, migrating: false, StoreLog(logger: .standardError(level: .warning)))
        }
    }

    /// Brings the tables of the database to the current schema.
    ///
    /// - Returns: what was done, in words.
    /// - Throws: what the store throws.
    func migrateStore() throws -> String {
        switch database {
        case .memory: return "The database is in memory; there is nothing to migrate."
        case .file(let path):
            Self.keepFilesToOneself()
            try SQLiteStore.migrate(path: path, busyTimeout: databaseBusyTimeout)
            return "\(path) is at the current schema."
        case .postgresql(let url):
            let done = try PostgreSQLStore.migrate(url: url, timeout: databaseBusyTimeout)
            guard !done.isEmpty else { return "\(database) is at the current schema; there was nothing to do." }
            let versions = done.map { "\($0)" }.joined(separator: ", ")
            return "\(database) is at the current schema; done: migration \(versions)."
        }
    }

    /// What is left of an erased number where this program cannot reach it, and what to do about it; nil if nothing is.
    var remainsAfterErasure: String? {
        guard case .postgresql = database else { return nil }
        return
            "the server may keep the bytes of what was erased in the free space of its tables until it is used again, in its "
            + "write-ahead log, in archives, standbys and backups; to free the tables of them now, stop the service and run: "
            + "VACUUM FULL \(PostgreSQLStore.tablesOfPeople.joined(separator: ", "))"
    }

    private func open(
        _ path: String,
        migrating: Bool,
        announcing events: EventSubscription = .none,
        _ observer: (any StoreObserver)? = nil
    ) throws -> SQLiteStore {
        Self.keepFilesToOneself()
        return try SQLiteStore(
            path: path,
            migrating: migrating,
            durability: isDurable ? .full : .normal,
            busyTimeout: databaseBusyTimeout,
            announcing: events,
            observer: observer
        )
    }

    private func connect(
        to url: String,
        migrating: Bool,
        announcing events: EventSubscription = .none,
        _ observer: (any StoreObserver)? = nil
    ) throws -> PostgreSQLStore {
        try PostgreSQLStore(
            url: url,
            migrating: migrating,
            durability: isDurable ? .full : .normal,
            timeout: databaseBusyTimeout,
            announcing: events,
            observer: observer
        )
    }

    /// SQLite makes files by the mask alone, and what they hold is for their owner.
    private static func keepFilesToOneself() {
        umask(0o077)
    }
}
