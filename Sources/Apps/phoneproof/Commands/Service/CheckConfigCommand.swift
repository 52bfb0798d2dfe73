import ArgumentParser
import CoreEncodings
import FoundationEssentials
import Glibc
import Logging
import OpenSSLCrypto
import PhoneAdministration
import PhoneCLI
import PhoneService
import PhoneStore

struct CheckConfigCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the configuration for errors and risks.",
        discussion: "Exits with 1 if `serve` would not start. Creates no files."
    )

    @Flag(help: "Print all settings with defaults and ranges, as in config/reference.yaml, and check nothing.")
    var reference = false

    @Flag(help: "Print JSON, as doctor does.") var json = false
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        if reference {
            print(try Settings.reference(docks: docks))
            return
        }
        let settings: Settings
        do {
            settings = try options.load()
        } catch let failure as Failure {
            return try show(failure.lines.map(Finding.error))
        }
        try show(ConfigurationCheck(settings, at: SystemWallClock().now()).findings)
    }

    private func show(_ findings: [Finding]) throws {
        let lines = findings.map(\.line) + [ConfigurationCheck.verdict(of: findings)]
        try end(with: findings, asJSON: json, lines: lines)
    }
}

extension Command {
    /// Prints findings, and ends with 1 if something does not work.
    func end(with findings: [Finding], asJSON: Bool, lines: [String]) throws {
        let isOK = !findings.contains { $0.verdict == .failed }
        let json: JSON = ["is_ok": .bool(isOK), "findings": .array(findings.map(\.json))]
        print(asJSON ? json.text : lines.joined(separator: "\n").asTyped)
        try end(with: isOK ? .done : .failed)
    }
}

struct ConfigurationOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "The configuration file.",
            discussion: "Default: config/phoneproof.yaml or /etc/phoneproof/phoneproof.yaml, the first that exists.",
            valueName: "file"
        ),
        completion: .file()
    )
    var config: String?

    private static let standardFiles = ["config/phoneproof.yaml", "/etc/phoneproof/phoneproof.yaml"]

    var file: String? { config ?? Self.standardFiles.first { access($0, F_OK) == 0 } }

    func load() throws -> Settings {
        do {
            return try Settings(
                file: file,
                environment: ProcessInfo.processInfo.environment,
                docks: docks
            )
        } catch {
            throw Failure(status: .configuration, lines: error.lines)
        }
    }
}

/// The configuration file and the database, for commands that open a store.
struct StoreOptions: ParsableArguments {
    @OptionGroup var configuration: ConfigurationOptions

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The database: sqlite:PATH or postgresql://HOST/NAME.",
            discussion: "Overrides PHONEPROOF_DATABASE_URL and database.url. Must not contain a password.",
            valueName: "url"
        )
    )
    var database: String?

    func load() throws -> Settings {
        var settings = try configuration.load()
        if let database {
            settings.database.place = try Settings.Database.Place(url: database, flag: "--database")
            settings.database.urlIsInFile = false
        }
        return settings
    }

    /// Another command of this program, as a shell takes it where this one was started: under the same name, and with
    /// the same flags, so that it uses the same database.
    func command(_ words: String...) -> String {
        let flags = [("--config", configuration.config), ("--database", database)].flatMap { name, value in
            value.map { [name, $0] } ?? []
        }
        return ([programName] + (words + flags).map(\.quotedForShell)).joined(separator: " ")
    }
}

extension Settings.Database.Place {
    /// The database that a flag names. Every user of a machine can read the flags of its programs, so a flag may not
    /// contain a secret.
    ///
    /// - Throws: ``Failure`` that quotes nothing.
    init(url: String, flag: String) throws {
        let database: Settings.Database.Place?
        do {
            database = try Settings.Database.Place(url: url)
        } catch {
            throw Failure.usage("\(flag): \(error)")
        }
        guard let database else { throw Failure.usage("\(flag) must be \(Self.forms)") }
        if case .postgresql(let url) = database, try PostgreSQLURL(url).containsPassword {
            throw Failure.usage(
                "\(flag) contains a password, which every user of this machine can read; set PHONEPROOF_DATABASE_URL instead, "
                    + "or use a password file (PGPASSFILE, or the parameter passfile)"
            )
        }
        self = database
    }
}
