import ArgumentParser
import FoundationEssentials
import Glibc
import Logging
import OpenSSLCrypto
import PhoneCLI

struct CheckConfigCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Say what is configured, and what of it is missing or unsafe.",
        discussion: "Exits with 1 if `serve` would not start. Makes no file."
    )

    @Flag(help: "Print every setting with its default and range, as config/reference.yaml has it, and check nothing.")
    var reference = false

    @OptionGroup var options: StoreOptions

    func execute() async throws {
        if reference {
            print(try await Settings.reference())
            return
        }
        let settings: Settings
        do {
            settings = try await options.load()
        } catch let failure as Failure {
            for line in failure.lines { print("error: \(line)") }
            return try end(with: .failed)
        }
        let check = ConfigurationCheck(settings, file: options.configuration.file, at: SystemWallClock().now())
        check.lines.forEach { print($0) }
        try end(with: check.wouldStart ? .done : .failed)
    }
}

struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The file of settings.",
            discussion: "Without it config/phoneproof.yaml or /etc/phoneproof/phoneproof.yaml is read, if it is there.",
            valueName: "file"
        )
    )
    var config: String?

    private static let standardFiles = ["config/phoneproof.yaml", "/etc/phoneproof/phoneproof.yaml"]

    var file: String? { config ?? Self.standardFiles.first { access($0, F_OK) == 0 } }

    func load() async throws -> Settings {
        do {
            return try await Settings(file: file, environment: ProcessInfo.processInfo.environment)
        } catch {
            throw Failure(status: .configuration, lines: error.lines)
        }
    }
}

/// The file of settings and the database, for commands that open a store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgresql://HOST/NAME.",
            discussion: "Overrides PHONEPROOF_DATABASE_URL, and that database.url. It must bear no password.",
            valueName: "url"
        )
    )
    var database: String?

    func load() async throws -> Settings {
        var settings = try await configuration.load()
        if let database {
            settings.database.place = try Settings.Database.Place(url: database, flag: "--database")
            settings.database.urlIsInFile = false
        }
        return settings
    }
}

/// For commands that print JSON for programs if they are asked to.
struct ReportOptions: ParsableArguments {
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var store: StoreOptions

    func load() async throws -> Settings { try await store.load() }
}

extension Settings.Database.Place {
    /// The database that a flag names. Every user of a machine can read the flags of its programs, so a flag may not contain a
    /// secret.
    ///
    /// - Throws: ``Failure`` that quotes nothing.
    init(url: String, flag: String) throws {
        let database: Settings.Database.Place?
        do {
            database = try Settings.Database.Place(url: url)
        } catch {
            throw Failure.usage("\(flag) is no address of a PostgreSQL database: \(error)")
        }
        guard let database else { throw Failure.usage("\(flag) must be \(Self.forms)") }
        if case .postgresql(let url) = database, try PostgreSQLURL(url).containsPassword {
            throw Failure.usage(
                "\(flag) bears a password, which every user of this machine can read; leave it out, and set "
                    + "PHONEPROOF_DATABASE_URL instead, or keep it in a file that PGPASSFILE or the parameter passfile names"
            )
        }
        self = database
    }
}
