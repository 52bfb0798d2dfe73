import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Shows blocks, rules and traffic.
struct GuardListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show what is blocked, the rules, and the traffic of the last day."
    )

    @Option(help: "No more than so many prefixes and countries, 1 to 100000.")
    var limit = 50

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (1...100_000).contains(limit) else { throw ValidationError("--limit must be 1 to 100000") }
    }

    func run() async throws {
        try await reporting {
            let store = try await options.load().existingStore()
            let now = SystemWallClock().now()
            let listing = GuardListing(
                traffic: try await store.traffic(at: now, limit: limit),
                rules: try await store.guardRules().filter { $0.isInForce(at: now) },
                now: now
            )
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
