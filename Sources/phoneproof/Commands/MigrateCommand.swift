import ArgumentParser
import PhoneCLI

/// Brings the database to the current schema.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to the current schema.",
        discussion: """
            `serve` and `signup` do so too, unless database.migrate is false. Instances of the version before may go on \
            meanwhile on a PostgreSQL database, and several may migrate at once.
            """
    )

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            print(try await options.load().migrateStore())
            return .done
        }
    }
}
