import ArgumentParser
import PhoneCLI
import SQLiteStore

/// Brings the database to the current schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to the current schema.",
        discussion: "`serve` and `signup` do so too, unless database.migrate is false."
    )

    @OptionGroup var options: ConfigurationOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            switch settings.database {
            case .memory: print("The database is in memory; there is nothing to migrate.")
            case .file(let path):
                try SQLiteStore.migrate(path: path, busyTimeout: settings.databaseBusyTimeout)
                print("\(path) is at the current schema.")
            }
            return .done
        }
    }
}
