import ArgumentParser
import PhoneCLI

/// Where settings come from, for the commands that open a store.
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

    /// The file of settings that is read, or nil if there is none.
    var file: String? { configuration.file }

    /// Reads the settings, or ends the program with one line that says what is wrong.
    func load() async throws -> Settings {
        var settings = try await configuration.load()
        if let database {
            settings.database = try named(database)
            settings.databaseURLIsInFile = false
        }
        return settings
    }

    /// The database that a flag names. Every user of a machine can read the flags of its programs, so that a secret in
    /// one is none any more.
    private func named(_ url: String) throws -> Settings.Database {
        let database: Settings.Database?
        do {
            database = try Settings.Database(url: url)
        } catch {
            throw Failure(.usage, "--database is no address of a PostgreSQL database: \(error)")
        }
        guard let database else { throw Failure(.usage, "--database must be \(Settings.Database.forms)") }
        if case .postgresql(let url) = database, try PostgreSQLURL(url).bearsSecret {
            throw Failure(
                .usage,
                "--database bears a password, which every user of this machine can read; leave it out, and set "
                    + "PHONEPROOF_DATABASE_URL instead, or keep it in a file that PGPASSFILE or the parameter passfile names"
            )
        }
        return database
    }
}
