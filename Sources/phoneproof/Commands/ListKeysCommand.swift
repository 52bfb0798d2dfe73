import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Shows API keys.
struct ListKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show API keys: whose they are, what they may do, and when they were last used.",
        discussion: "A use is recorded once a minute. Nobody's secret is shown: it is not kept."
    )

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let keys = try await options.load().existingStore().apiKeys()
            let listing = KeyListing(keys: keys)
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
