import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Shows the keys that access tokens are signed with.
struct ListSigningKeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list-signing",
        abstract:
            "Show the keys that access tokens are signed with: which one signs, and until when each is published.",
        discussion: "No private part is shown. SEALED UNDER names the key of the file of keys that opens it."
    )

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let listing = SigningKeyListing(
                keys: try await settings.existingStore().signingKeys(),
                now: SteadyClock.ofMachine().now()
            )
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
