import ArgumentParser
import Foundation
import PhoneCLI
import PhoneDomain

/// What is owed, what was sent and what went wrong, and another try for what failed.
struct OutboxCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "outbox",
        abstract: "Show the messages of the outbox, and try failed ones again.",
        discussion: "Works on the database of the settings; a service may run on it meanwhile.",
        subcommands: [OutboxListCommand.self, OutboxRetryCommand.self]
    )

    /// The store of the settings; one that is not there yet is not made.
    static func store(_ options: ConfigurationOptions) async throws -> any OutboxStore {
        let settings = try await options.load()
        switch settings.database {
        case .memory:
            throw Failure(
                .configuration,
                "a database in memory has no outbox to look into from here; set database.url to a file"
            )
        case .file(let path):
            guard FileManager.default.fileExists(atPath: path) else {
                throw Failure(
                    .configuration,
                    "there is no database at \(path) yet; start the service first, or correct database.url"
                )
            }
        }
        return try Core.openStore(settings)
    }
}
