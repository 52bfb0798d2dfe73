import ArgumentParser
import PhoneCLI

/// Brings the database to the current schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to the current schema.",
        discussion: "`serve` and `signup` do so too, unless database.migrate is false."
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            try settings.migrateStore()
            if case .memory = settings.database {
                print("The database is in memory; there is nothing to migrate.")
            } else {
                print("\(settings.database) is at the current schema.")
            }
            return .done
        }
    }
}
