import ArgumentParser

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
            settings.database = try Settings.Database(url: database, flag: "--database")
            settings.databaseURLIsInFile = false
        }
        return settings
    }
}
