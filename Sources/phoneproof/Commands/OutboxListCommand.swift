import ArgumentParser
import PhoneCLI
import PhoneDomain

/// The newest messages.
struct OutboxListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show messages, newest first, with masked numbers."
    )

    @Option(help: "Only those that are queued, sent, unknown, delivered, undelivered, failed, dropped or withheld.")
    var status: OutboxMessage.Status?

    @Option(help: "No more than so many, 1 to 10000.")
    var limit = 50

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...10_000).contains(limit) else { throw ValidationError("--limit must be from 1 to 10000") }
    }

    func run() async throws {
        try await reporting {
            let store = try await options.load().existingStore()
            let listing = OutboxListing(
                entries: try await store.messages(status: status, limit: limit),
                now: SystemWallClock().now()
            )
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
