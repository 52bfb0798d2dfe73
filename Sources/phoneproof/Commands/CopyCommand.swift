import ArgumentParser
import Glibc
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import Records
import Synchronization

struct MigrateCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to the current schema.",
        discussion: """
            `serve` and `signup` do so too, unless database.migrate is false. Instances of the version before may go on \
            meanwhile on a PostgreSQL database, and several may migrate at once.
            """
    )

    @OptionGroup var options: StoreOptions

    func execute() async throws { print(try await options.load().migrateStore()) }
}

struct CopyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "copy",
        abstract: "Copy all of a database into another, and check that it is the same there.",
        discussion: """
            Stop the service first. Of --from and --to either may be left out: it is then the service's own database \
            (database.url, PHONEPROOF_DATABASE_URL). So a URL with a password need not be a flag, which everybody on this \
            machine could read; or keep the password in the file that PGPASSFILE names (mode 0600).

            The source is read only, and must be at the current schema (`phoneproof migrate`). The target is made and \
            migrated if need be, and must be empty. If a copy is interrupted, run the same command again: it goes on where \
            it was, once it has seen that the target holds the beginning of the source and nothing else.

            At the end both sides are read anew, and the numbers of records and their digests compared, kind by kind. A \
            source that was written to meanwhile shows there; what is written to it later is lost. A SQLite file that a \
            process of this machine has open is not copied, nor a PostgreSQL database to which another program of this \
            name (application_name) is connected by the same role; whoever else writes there is not seen beforehand.

            The keys are not in the database. Have the service on the new one use the same key file (keys.file), or codes \
            in flight are lost and numbers can no longer be found in the audit trail.
            """
    )

    @Option(help: ArgumentHelp("The database that is copied.", valueName: "url")) var from: String?

    @Option(help: ArgumentHelp("The database that it is copied into.", valueName: "url"))
    var to: String?

    @Flag(help: "Show nothing but the result.") var quiet = false
    @Flag(help: "Print the result as JSON.") var json = false
    @OptionGroup var options: ConfigurationOptions

    func execute() async throws {
        let settings = try await options.load()
        let (from, to) = try places(settings)
        let source = try settings.source(at: from)
        let target = try settings.target(at: to)
        let display = CopyDisplay(isQuiet: quiet)
        let interruption = onInterruption {
            display.end()
            StandardError.write(
                "phoneproof: interrupted; what was copied until now stays, run the same command again to go on"
            )
        }
        defer { interruption.cancel() }
        let result: CopyResult
        do {
            result = try await StoreCopy(from: source, to: target, digester: OpenSSLRecordDigester())
                .run(reporting: display.show)
        } catch StoreCopyError.targetHoldsOther(let kind) {
            throw Failure.failed(
                "the target is not empty: it holds records (\(kind.rawValue)) that no copy of this source has left "
                    + "there; nothing was written, name an empty database, or delete that one if it may go"
            )
        } catch {
            display.end()
            throw error
        }
        display.end()
        let report = CopyReport(result)
        print(json ? try report.json() : report.text)
        if result.parts.contains(where: \.hasSourceChanged) {
            throw Failure.failed(
                "the source was written to while it was copied; stop the service, delete the target, and copy once more"
            )
        }
        if !result.isComplete {
            throw Failure.failed(
                "the target does not hold what the source does; somebody else writes to it, or it is damaged: delete it, "
                    + "and copy once more"
            )
        }
        if !quiet { remind(settings, of: from, result) }
    }

    /// The two databases; one that is not named is the service's.
    private func places(_ settings: Settings) throws -> (from: Settings.Database.Place, to: Settings.Database.Place) {
        guard from != nil || to != nil else {
            throw Failure.usage("name a database by --from or --to; the other one is then that of database.url")
        }
        let source = try from.map { try Settings.Database.Place(url: $0, flag: "--from") } ?? settings.database.place
        let target = try to.map { try Settings.Database.Place(url: $0, flag: "--to") } ?? settings.database.place
        guard !source.isSame(as: target) else {
            throw Failure.usage("--from and --to are one database; name another by one of them")
        }
        return (source, target)
    }

    private func remind(_ settings: Settings, of source: Settings.Database.Place, _ result: CopyResult) {
        if result.heldBefore > 0 {
            StandardError.write("\(result.heldBefore) records were there already from a copy before.")
        }
        var settings = settings
        settings.database.place = source
        // A service on PostgreSQL has keys.file set.
        let path = (try? settings.keyPath()) ?? "the file that it had"
        StandardError.write(
            "Both sides hold the same. Now have the service use the new database, and the same keys: keys.file: \(path)"
        )
    }
}

/// Shows the progress of a copy on the standard error stream; the standard output is the result only.
final class CopyDisplay: Sendable {
    private let meter: Mutex<CopyMeter>?
    private let terminal = PosixTerminal()

    init(isQuiet: Bool) {
        var size = winsize()
        let hasSize = ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        let redraws = isatty(STDERR_FILENO) == 1 && getenv("TERM").map { String(cString: $0) != "dumb" } ?? false
        let columns = hasSize ? Int(size.ws_col) : 80
        meter = isQuiet ? nil : Mutex(CopyMeter(redraws: redraws, columns: columns))
    }

    func show(_ progress: CopyProgress) { meter?.withLock { terminal.writeError($0.text(for: progress)) } }

    func end() { meter?.withLock { terminal.writeError($0.end()) } }
}
