import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Shows an account.
struct AccountsShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show an account and the devices that are signed in to it.",
        discussion: "Exits with 1 if there is none. The number is masked; `accounts export` has it in full."
    )

    @OptionGroup var argument: AccountArgument

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            let account = try await argument.find(in: store, settings)
            let sessions = try await store.sessions(of: account.id, at: SystemWallClock().now(), limit: 100)
            let listing = AccountListing(account: account, sessions: sessions)
            print(json ? try listing.json() : listing.text)
            return .done
        }
    }
}
