import ArgumentParser
import CoreEncodings
import Glibc
import OpenSSLCrypto
import PhoneAccounts
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSignup
import PhoneStore

struct BackupCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Back up the database to one file.",
        discussion: """
            The service can keep running. The backup is a consistent snapshot with everything acknowledged before it began. \
            The file is read back and verified before it gets its name; only its owner can read it. A PostgreSQL database \
            is saved to the same format, and a backup can be restored into either engine.

            The keys are not in the file. Without the key file (keys.file) the encrypted columns cannot be read: pending \
            codes, signing keys, and the digests that find audit entries by number. Save both, in different places: with \
            both, anybody can read everything.

            With --verify nothing is written and no settings are read: FILE is read, and compared with the digests that \
            were stored with it. Exits with 1 if a bit of it has changed. `restore` does the same first.
            """
    )

    @Argument(help: "The file to write, or to verify.", completion: .file()) var file: String
    @Flag(help: "Only verify a backup.") var verify = false
    @Flag(help: "Also copy the key file, to FILE.keys.") var withKeys = false
    @Flag(help: "Overwrite existing files.") var force = false
    @Flag(help: "Print only the result.") var quiet = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if verify, force || withKeys { throw ValidationError("--verify writes nothing; --force and --with-keys do") }
    }

    func execute() async throws {
        if verify { return try verifyFile() }
        let settings = try options.load()
        let keyCopy = BackupKeys.path(of: file)
        for path in [file] + (withKeys ? [keyCopy] : []) { try settings.requireWritable(path) }
        let store = try settings.patient.existingStore()
        let keys = try settings.keyPath()
        if withKeys, !force, access(keyCopy, F_OK) == 0 { throw BackupError.exists(keyCopy) }
        if withKeys, let keys { _ = try KeyRing.load(from: keys) }
        let display = CopyDisplay(isQuiet: quiet)
        defer { display.end() }
        let interruption = await onInterruption { [file] in
            unlink(BackupFile.draft(of: file))
            display.end()
            StandardError.write("phoneproof: interrupted; nothing is left of the backup")
        }
        defer { interruption.cancel() }
        let copy = TableCopy(of: .service, digester: OpenSSLRequestAuthenticator(), reporting: display.show)
        let now = SystemWallClock().now()
        let result = try await BackupFile.make(of: store, at: file, isReplacing: force, now: now, copy: copy)
        display.end()
        // After the backup, so that what it was sealed under by then is among them.
        if withKeys, let keys { try KeyRing.copyFile(from: keys, to: keyCopy, isReplacing: force) }
        let report = CopyReport(result)
        print(json ? report.json : report.text)
        if !quiet { remind(now, keys: keys, keyCopy: withKeys ? keyCopy : nil) }
    }

    private func verifyFile() throws {
        let display = CopyDisplay(isQuiet: quiet)
        defer { display.end() }
        let copy = TableCopy(of: .service, digester: OpenSSLRequestAuthenticator(), reporting: display.show)
        let backup = try BackupFile(at: file, copy: copy)
        display.end()
        let count = backup.tables.reduce(0) { $0 + $1.tally.count }
        let tables = backup.tables.map { table in
            [
                "name": .string(table.name), "count": .integer(table.tally.count),
                "digest": .string(table.tally.digest.description),
            ] as JSON
        }
        let body: JSON = ["made_at": .string(backup.madeAt.description), "tables": .array(tables)]
        print(json ? body.text : "\(file) is intact: \(counted(count, "row")), the state of \(backup.madeAt).")
    }

    private func remind(_ now: Timestamp, keys: String?, keyCopy: String?) {
        StandardError.write("\(file) is the state of \(now).")
        if let keyCopy {
            StandardError.write(
                "\(keyCopy) has the keys. With both files anybody can read all of it: move one of them to another place now."
            )
        } else if let keys {
            StandardError.write(
                "It does not contain the keys, without which encrypted data cannot be read: back up \(keys) too, in another place."
            )
        }
    }
}

struct RestoreCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Restore the database from a backup.",
        discussion: """
            Stop the service first. The database is created and migrated if necessary, and must be empty; --force replaces \
            everything in it, in one transaction: if that is interrupted, the database is unchanged. A backup of an older \
            version is migrated, one of a newer version is refused. The keys (keys.file) must be those of the backup; \
            --with-keys uses FILE.keys if there is no key file yet.

            Everything since the backup is lost: changed accounts and numbers, counts of limits, the audit log. So that \
            nothing is used twice, codes and approvals expire, waiting messages become `unknown` (`outbox list`), all \
            sessions end and the signing keys are replaced: people sign in again. With --keep-sessions they stay signed in; \
            use it only if the service has not run since the backup, or replaced tokens and signed-out devices become valid \
            again.

            Afterwards revoke the API keys that were revoked since the backup, and erase the numbers that were erased since.
            """
    )

    @Argument(help: "The backup file.", completion: .file()) var file: String
    @Flag(help: "Use the keys in FILE.keys if there is no key file yet.") var withKeys = false
    @Flag(help: "Replace everything in the database.") var force = false
    @Flag(help: "Keep people signed in. Only if the service has not run since the backup.")
    var keepSessions = false
    @Flag(help: "Print only the result.") var quiet = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load().patient
        try settings.requireUnused(to: "restore")
        let display = CopyDisplay(isQuiet: quiet)
        defer { display.end() }
        let copy = TableCopy(of: .service, digester: OpenSSLRequestAuthenticator(), reporting: display.show)
        let backup = try BackupFile(at: file, copy: copy)
        let keys = try checkedKeys(settings, backup)
        let store = try open(settings)
        let interruption = await onInterruption {
            display.end()
            StandardError.write("phoneproof: interrupted; the database is as it was")
        }
        defer { interruption.cancel() }
        // Before the rest: a service that found the database without them would make keys of its own.
        if withKeys, let keys, access(keys, F_OK) != 0 {
            try KeyRing.copyFile(from: BackupKeys.path(of: file), to: keys, isReplacing: false)
        }
        let restoration = Restoration(
            at: SystemWallClock().now(),
            isReplacing: force,
            keepsSessions: keepSessions,
            copy: copy
        )
        let result: Restoration.Result
        do {
            result = try await store.run(isReadOnly: false) { session in
                try backup.read { try restoration.apply($0, to: session) }
            }
        } catch RestorationError.targetNotEmpty(let held) {
            let what = held.map { "\($1) \($0)" }.joined(separator: ", ")
            throw Failure.failed(
                "the database \(settings.database.place) is not empty (\(what)); with --force all of that is lost, and the state "
                    + "of \(backup.madeAt) is put in its place"
            )
        } catch RestorationError.different {
            throw Failure.failed("the database does not contain what was written; it is unchanged, check its disk")
        } catch let error as SQLiteStoreError {
            throw Failure.failed("\(error); the database is as it was")
        }
        display.end()
        // Deleted rows would stay in the file's free pages.
        if !result.replaced.isEmpty { try? await store.removeTraces() }
        let report = CopyReport(result.copied)
        print(json ? report.json : report.text)
        if !quiet { remind(backup, result) }
    }

    /// The path of the service's key file, once its keys, or those that are to be its own, are known to be the
    /// backup's.
    private func checkedKeys(_ settings: Settings, _ backup: BackupFile) throws -> String? {
        guard let path = try settings.keyPath() else { return nil }
        let source = withKeys && access(path, F_OK) != 0 ? BackupKeys.path(of: file) : path
        guard access(source, F_OK) == 0 else {
            throw Failure.configuration(
                "there is no key file at \(source), and without the keys what is sealed in the backup cannot be read; put that of "
                    + "the backup there (--with-keys takes FILE.keys), or set keys.file to its path"
            )
        }
        try BackupKeys.require(KeyRing.load(from: source), from: source, of: backup, at: file)
        return path
    }

    private func open(_ settings: Settings) throws -> any SQLStore {
        if case .memory = settings.database.place {
            throw Failure.configuration(
                "a database in memory is gone when the command ends; name another by database.url"
            )
        }
        do {
            return try settings.openStore(migrating: true, reportNew: quiet ? { _ in } : Settings.reportNewDatabase)
        } catch let error as SQLiteStoreError {
            throw Failure.failed(
                "\(error); to have the backup in its place, move its file and those with -wal and -shm away, and restore again"
            )
        }
    }

    private func remind(_ backup: BackupFile, _ result: Restoration.Result) {
        var lines = ["This is the state of \(backup.madeAt); what happened since is lost."]
        if !result.replaced.isEmpty {
            let what = result.replaced.map { "\($0.count) \($0.kind)" }.joined(separator: ", ")
            lines.append("It replaced what was there: \(what).")
        }
        let sessions =
            keepSessions
            ? "." : ", \(counted(result.endedSessions, "session")) ended, and the signing keys will be new."
        lines.append(
            "So that nothing is used twice: expired \(counted(result.expiredCodes, "code")) and "
                + "\(counted(result.expiredApprovals, "approval")), set \(counted(result.unknownMessages, "message")) to unknown (`phoneproof outbox list --status unknown`)"
                + sessions
        )
        lines.append(
            "Valid API keys: \(result.validAPIKeys) (`phoneproof keys list`). Revoke again those that were revoked since, and "
                + "erase again the persons who were erased since."
        )
        lines.forEach { StandardError.write($0.asTyped) }
    }
}

/// The keys that belong to a backup.
enum BackupKeys {
    static func path(of file: String) -> String { file + ".keys" }

    /// Opens what is sealed for long, the signing keys, and looks for the keys of codes that are out.
    ///
    /// - Throws: ``Failure`` unless these are the keys that the backup was sealed under.
    static func require(_ ring: KeyRing, from source: String, of backup: BackupFile, at file: String) throws {
        let vault = try OpenSSLCodeVault(keys: ring)
        let (signingKeys, codeKeys) = try backup.read { session in
            var codeKeys: Set<String> = []
            try session.forEach("SELECT DISTINCT code_key_id FROM verification WHERE status = 'pending'") { row in
                if case .text(let id) = row[0] { codeKeys.insert(id) }
            }
            return (try session.all(SigningKey.self), codeKeys)
        }
        let missing = codeKeys.union(signingKeys.map(\.sealedPrivateKey.keyID)).subtracting(ring.ids).sorted()
        guard missing.isEmpty else {
            throw Failure.configuration(
                "\(file) is encrypted with the key \(missing.joined(separator: ", ")), which \(source) does not contain; put the key file "
                    + "of the backup there, or set keys.file to its path"
            )
        }
        for key in signingKeys {
            guard (try? vault.open(key.sealedPrivateKey, for: key.id.description)) != nil else {
                throw Failure.configuration(
                    "the key \(key.sealedPrivateKey.keyID) in \(source) is not the one that \(file) was encrypted with; put the "
                        + "key file of the backup there, or set keys.file to its path"
                )
            }
        }
    }
}
