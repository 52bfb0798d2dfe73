import ArgumentParser
import PhoneCLI
import PhoneDomain

/// The newest events that were not told.
struct WebhooksListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show events that the receiver has not taken, newest first.",
        discussion:
            "What it has taken is not kept. Works on the database of the settings; a service may run on it meanwhile."
    )

    @Option(help: "Only those that are queued, or failed.")
    var status: Event.Status?

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
            let listing = EventListing(events: try await store.events(status: status, limit: limit))
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
