import ArgumentParser
import PhoneCLI
import PhoneDomain
import PhoneHTTP

/// Hands out what is held on the holder of an account.
struct AccountsExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Print all that is held on the holder of an account, as JSON.",
        discussion: """
            The same that its holder gets at GET /v1/accounts/me/export: numbers in full, no code and no secret. Not in it: \
            entries of the audit trail under keys that were removed from the key file, and what gateways and carriers keep.
            """
    )

    @OptionGroup var argument: AccountArgument

    @OptionGroup var options: StoreOptions

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            let store = try settings.existingStore()
            let vault = try settings.existingVault()
            let account = try await argument.find(in: store, settings)
            let data = try await store.personalData(of: account.id) { try vault.digests(of: $0.e164) }
            guard let data else { throw Failure(.failed, "there is no account \(account.id) any more") }
            print(try data.text(at: SystemWallClock().now()))
            return .done
        }
    }
}
