import ArgumentParser
import PhoneCLI
import PhoneDomain

/// Ends every session of an account.
struct AccountsSignOutCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign-out",
        abstract: "Sign every device of an account out, at once and on every instance.",
        discussion: "Access tokens that are out are still good elsewhere until their time is over, 15 minutes at most "
            + "unless tokens.access_ttl_seconds says otherwise."
    )

    @OptionGroup var argument: AccountArgument

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            let account = try await argument.find(in: store, settings)
            let count = try await store.end(
                EndSessions(
                    accountID: account.id,
                    selection: .all,
                    auditor: Auditor(digester: settings.existingVault(), owner: .local, address: nil),
                    now: SystemWallClock().now()
                )
            )
            print("\(account.id): \(count) \(count == 1 ? "device is" : "devices are") signed out.")
            return .done
        }
    }
}
