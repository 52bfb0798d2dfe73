import Glibc
import Logging
package import OpenSSLCrypto
import PhoneAccounts
package import PhoneAdministration
import PhoneCLI
package import PhoneDomain
import PhoneSignup
package import PhoneStore

extension Settings {
    /// What the store keeps, for the service and its docks.
    var records: RecordTypes { RecordTypes(docks: docks.flatMap { type(of: $0).records }) }

    /// The store that a running or stopped service has left: it is neither created nor migrated.
    package func existingStore() throws -> any SQLStore {
        switch database.place {
        case .memory:
            throw Failure.configuration("the database is in memory; set database.url to that of the service")
        case .file(let path) where access(path, F_OK) != 0:
            throw Failure.configuration("there is no database at \(path); set database.url to that of the service")
        default:
            let observer = StoreLog(logger: .standardError(level: .warning))
            return try openStore(migrating: false, observer)
        }
    }

    /// The store of a service, created and migrated if need be.
    ///
    /// - Parameters:
    ///   - events: those of a service, which delivers them. What commands do is announced by entries of the audit log alone.
    ///   - reportNew: what is done with the path of a file that was not there: somebody who stands in another
    ///   folder than the service must see that this is not its database.
    package func openStore(
        migrating: Bool? = nil,
        announcing events: EventSubscription? = nil,
        _ observer: (any StoreObserver)? = nil,
        reportNew: (String) -> Void = reportNewDatabase
    ) throws -> any SQLStore {
        let migrating = migrating ?? database.migratesAtStart
        let events = events ?? EventSubscription(to: webhooks?.kinds.intersection([.auditRecorded]) ?? [])
        switch database.place {
        case .memory: return try SQLiteStore.inMemory(records: records, announcing: events, observer: observer)
        case .file(let path):
            // SQLite creates files by it alone, and they are for their owner.
            umask(0o077)
            let isNew = database.place.isMissing
            let store = try SQLiteStore(
                path: path,
                migrating: migrating,
                durability: database.isDurable ? .full : .normal,
                busyTimeout: database.busyTimeout,
                records: records,
                announcing: events,
                observer: observer
            )
            if isNew { reportNew(Self.absolute(path)) }
            return store
        case .postgresql(let url):
            return try PostgreSQLStore(
                url: url,
                migrating: migrating,
                durability: database.isDurable ? .full : .normal,
                timeout: database.busyTimeout,
                records: records,
                announcing: events,
                observer: observer
            )
        }
    }

    /// What operators do, over the store that a running or stopped service has left.
    package func existingAdministration() throws -> Administration { administration(over: try existingStore()) }

    package func administration(over store: any SQLStore) -> Administration {
        let clock = store.clock
        let keys = APIKeys(store: store, tokens: OpenSSLTokenVault(), identifiers: OpenSSLRandom(), clock: clock)
        return administration(over: store, keys: keys, clock: clock, digester: { try existingVault() })
    }

    /// - Parameters:
    ///   - gateways: nil in a process that sends no messages.
    ///   - instance: that of the process, if it is a service.
    ///   - others: what else is wrong here, besides gateways and the machine.
    ///   - messageQueued: called after a message was queued again.
    func administration(
        over store: any SQLStore,
        keys: APIKeys,
        clock: any WallClock,
        digester: @escaping @Sendable () throws -> any NumberDigester,
        gateways: (any GatewayDesk)? = nil,
        instance: Instance.ID? = nil,
        others: @escaping @Sendable () -> [Finding] = { [] },
        messageQueued: @escaping @Sendable () -> Void = {}
    ) -> Administration {
        let tokens = OpenSSLTokenVault()
        return Administration(
            policies: Administration.Policies(
                verification: policy,
                limits: abusePolicy.limits,
                trafficGuard: abusePolicy.trafficGuard,
                accounts: accounts.policy,
                region: region,
                language: language,
                routes: sms.routes
            ),
            store: store,
            keys: keys,
            clients: OAuthClients(store: store, tokens: tokens, identifiers: keys.identifiers, clock: clock),
            clock: clock,
            digester: digester,
            gateways: gateways,
            configuration: { ConfigurationCheck(self, at: SystemWallClock().now()).findings },
            keyFile: { keyFileFacts },
            machine: { MachineCheck(self, isServing: instance != nil, at: SystemWallClock().now()).faults + others() },
            instance: instance,
            remainsAfterErasure: remainsAfterErasure,
            messageQueued: messageQueued
        )
    }

    /// Nil if there is none, or it cannot be read, as the settings say then.
    var keyFileFacts: KeyFileFacts? {
        var file = stat()
        guard let path = try? keyPath(), let ring = try? KeyRing.load(from: path), stat(path, &file) == 0 else {
            return nil
        }
        return KeyFileFacts(keys: ring.ids.count, changedAt: Timestamp(seconds: Int64(file.st_mtim.tv_sec)))
    }

    package static func reportNewDatabase(_ path: String) { StandardError.write("In new database \(path):") }

    private static func absolute(_ path: String) -> String {
        guard let resolved = realpath(path, nil) else { return path }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// - Returns: a report for people.
    package func migrateStore() throws -> String {
        switch database.place {
        case .memory: return "The database is in memory; nothing to migrate."
        case .file(let path):
            _ = try openStore(migrating: true)
            return "\(path) is at the current schema."
        case .postgresql(let url):
            let done = try PostgreSQLStore.migrate(url: url, timeout: database.busyTimeout, records: records)
            guard !done.isEmpty else { return "\(database.place) is at the current schema." }
            let versions = done.map { "\($0)" }.joined(separator: ", ")
            return "\(database.place) is at the current schema; applied migration \(versions)."
        }
    }

    /// Where the database may still have what was erased, and what to do about it; nil if nowhere.
    private var remainsAfterErasure: String? {
        guard case .postgresql = database.place else { return nil }
        return
            "erased data may remain in free space of the tables until it is reused, and in the write-ahead log, archives, "
            + "standbys and backups; to remove it from the tables now, stop the service and run: "
            + "VACUUM FULL \(records.tables.map(\.name).joined(separator: ", "))"
    }
}

extension Settings {
    /// The path of the key file, by default beside the database; nil for a database in memory.
    ///
    /// - Throws: ``SettingsError`` for a database on a server without `keys.file`.
    package func keyPath() throws(SettingsError) -> String? {
        if let keyFile {
            let file = FileIdentity(of: keyFile)
            guard file == nil || !database.files.contains(where: { FileIdentity(of: $0) == file }) else {
                throw SettingsError("keys.file is \(keyFile), a file of the database; name another one")
            }
            return keyFile
        }
        switch database.place {
        case .memory: return nil
        case .file(let link):
            let path = SQLiteStore.file(at: link)
            return (path.hasSuffix(".sqlite") ? String(path.dropLast(".sqlite".count)) : path) + ".keys"
        case .postgresql:
            throw SettingsError(
                "keys.file is not set, which a PostgreSQL database requires; name a key file that all instances share (or set "
                    + "\(SettingsError.environmentName(of: "keys.file")))"
            )
        }
    }

    /// In production, with a database that several instances share, the key file must exist before the first one
    /// starts: one that creates its own cannot check the codes of others.
    package func requireKeysOfAll() throws {
        guard case .postgresql = database.place, profile == .production, let path = try keyPath(),
            access(path, F_OK) != 0
        else { return }
        throw Failure.configuration(
            "there is no key file at \(path), and instances need the same one; create it with `phoneproof keys make`, and "
                + "copy it to every instance"
        )
    }

    /// The vault with the keys of a running or stopped service; no file is created.
    package func existingVault() throws -> OpenSSLCodeVault {
        let path = try keyPath()
        guard let path, access(path, F_OK) == 0 else {
            throw Failure.configuration(
                "there is no key file at \(path ?? "-"), which is needed to find or record a number in the audit log; set "
                    + "keys.file to that of the service"
            )
        }
        return try OpenSSLCodeVault(keys: KeyRing.load(from: path))
    }
}

/// The two databases of a copy.
extension Settings {
    /// The store that is copied, neither created nor migrated.
    package func source(at database: Database.Place) throws -> any PortableStore {
        let settings = copying(database)
        try settings.requireUnused(to: "copy")
        return try settings.existingStore()
    }

    /// The store that is copied into, created and migrated if need be.
    package func target(at database: Database.Place, isQuiet: Bool) throws -> any PortableStore {
        if case .memory = database {
            throw Failure.configuration("the target is a database in memory; set --to")
        }
        let settings = copying(database)
        try settings.requireUnused(to: "copy")
        return try settings.openStore(reportNew: isQuiet ? { _ in } : Self.reportNewDatabase)
    }

    private func copying(_ place: Database.Place) -> Settings {
        var settings = patient
        settings.database.place = place
        settings.database.migratesAtStart = true
        return settings
    }

    /// The settings for work on all of a database: nobody waits for a response, and counting the rows of a large table
    /// takes time.
    package var patient: Settings {
        var settings = self
        settings.database.busyTimeout = max(database.busyTimeout, .seconds(60))
        return settings
    }

    /// - Throws: ``Failure`` while another process has the database open. It may open it right after.
    package func requireUnused(to action: String) throws {
        switch database.place {
        case .memory: break
        case .file(let path):
            guard let process = SQLiteStore.process(usingDatabaseAt: path) else { return }
            let who = process > 0 ? "process \(process)" : "another process"
            throw Failure.failed("\(who) has \(path) open; stop the service, and \(action) then")
        case .postgresql(let url):
            let count = try PostgreSQLStore.sessionCount(url: url, timeout: database.busyTimeout)
            guard count > 0 else { return }
            throw Failure.failed(
                "\(counted(count, "connection")) of this program to \(database.place) still open; stop every "
                    + "instance, and \(action) then"
            )
        }
    }
}

extension Settings.Database.Place {
    /// Whether there is no such file.
    package var isMissing: Bool { if case .file(let path) = self { access(path, F_OK) != 0 } else { false } }

    /// Whether this is surely the same database as the other.
    package func isSame(as other: Settings.Database.Place) -> Bool {
        switch (self, other) {
        case (.file(let path), .file(let otherPath)):
            return path == otherPath || FileIdentity(of: path).map { $0 == FileIdentity(of: otherPath) } ?? false
        case (.postgresql(let url), .postgresql(let otherURL)): return url == otherURL
        default: return false
        }
    }
}
