import ArgumentParser
import Glibc
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneStore
import Synchronization

struct MigrateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate the database to the current schema.",
        discussion: """
            `serve` and `signup` do this too, unless database.migrate is false. On PostgreSQL, instances of the previous \
            version may keep running, and several may migrate at the same time.
            """
    )

    @OptionGroup var options: StoreOptions

    func execute() async throws { print(try options.load().migrateStore()) }
}

struct CopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy a database into another, and verify the copy.",
        discussion: """
            Stop the service first. If --from or --to is omitted, it is the configured database (database.url, \
            PHONEPROOF_DATABASE_URL). That keeps a URL with a password off the command line, which every user of this \
            machine can read; a password file (PGPASSFILE, mode 0600) does too.

            The source is only read, and must be at the current schema (`phoneproof migrate`). The target is created and \
            migrated if necessary, and must be empty. To resume an interrupted copy, run the same command again: it checks \
            that the target holds the beginning of the source and nothing else, and continues there.

            At the end both databases are read again, and counts and digests of all records compared. That detects writes \
            to the source during the copy; later ones are lost. A SQLite file that a process on this machine has open is \
            refused, and so is a PostgreSQL database with connections of the same application_name and role; other writers \
            are not detected beforehand.

            The encryption keys are not in the database. The service must use the same key file (keys.file) with the new \
            database: otherwise pending codes are lost, and numbers can no longer be found in the audit log.
            """
    )

    @Option(help: ArgumentHelp("The database to copy.", valueName: "url")) var from: String?

    @Option(help: ArgumentHelp("The database to copy it into.", valueName: "url"))
    var to: String?

    @Flag(help: "Print only the result.") var quiet = false
    @Flag(help: "Print the result as JSON.") var json = false
    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        let settings = try options.load()
        let (from, to) = try places(settings)
        let source = try settings.source(at: from)
        let target = try settings.target(at: to, isQuiet: quiet)
        let display = CopyDisplay(isQuiet: quiet)
        defer { display.end() }
        let interruption = await onInterruption {
            display.end()
            StandardError.write(
                "phoneproof: interrupted; run the same command again to resume"
            )
        }
        defer { interruption.cancel() }
        let result: CopyResult
        do {
            result = try await StoreCopy(from: source, to: target, digester: OpenSSLRequestAuthenticator())
                .run(reporting: display.show)
        } catch StoreCopyError.targetHoldsOther(let kind) {
            throw Failure.failed(
                "the target is not empty: it contains records (\(kind)) that are not from a copy of this source; "
                    + "nothing was written; name an empty database, or delete that one"
            )
        }
        display.end()
        let report = CopyReport(result)
        print(json ? report.json : report.text)
        if result.parts.contains(where: \.hasSourceChanged) {
            throw Failure.failed(
                "the source changed during the copy; stop the service, delete the target, and copy again"
            )
        }
        if !result.isComplete {
            throw Failure.failed(
                "the target differs from the source: another program writes to it, or it is damaged; delete it, and copy "
                    + "again"
            )
        }
        if !quiet { remind(settings, of: from, result) }
    }

    /// The two databases; one that is not named is the service's.
    private func places(_ settings: Settings) throws -> (from: Settings.Database.Place, to: Settings.Database.Place) {
        guard from != nil || to != nil else {
            throw Failure.usage("set --from or --to; the other one is then database.url")
        }
        let source = try from.map { try Settings.Database.Place(url: $0, flag: "--from") } ?? settings.database.place
        let target = try to.map { try Settings.Database.Place(url: $0, flag: "--to") } ?? settings.database.place
        guard !source.isSame(as: target) else {
            throw Failure.usage("--from and --to are the same database")
        }
        return (source, target)
    }

    private func remind(_ settings: Settings, of source: Settings.Database.Place, _ result: CopyResult) {
        if result.heldBefore > 0 {
            StandardError.write("\(result.heldBefore) records were already there from an earlier copy.")
        }
        var settings = settings
        settings.database.place = source
        // A service on PostgreSQL has keys.file set.
        let path = (try? settings.keyPath()) ?? "unchanged"
        StandardError.write(
            "The copy is identical. Next: point database.url to it, and keep the key file (keys.file: \(path))."
        )
    }
}

/// Shows the progress of a copy on the standard error stream; the standard output is the result only.
final class CopyDisplay: Sendable {
    private let meter: Mutex<CopyMeter>?
    private let terminal = PosixTerminal()

    init(isQuiet: Bool) {
        let redraws = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
        let columns = PosixTerminal.width(of: STDERR_FILENO) ?? 80
        meter = isQuiet ? nil : Mutex(CopyMeter(redraws: redraws, columns: columns))
    }

    func show(_ progress: CopyProgress) { meter?.withLock { terminal.writeError($0.text(for: progress)) } }

    func end() { meter?.withLock { terminal.writeError($0.end()) } }
}
