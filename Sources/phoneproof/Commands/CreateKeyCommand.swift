import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import Records

/// Makes an API key.
struct CreateKeyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make an API key, by which a program calls the service.",
        discussion: """
            Prints the key's secret, alone and once: what is kept cannot be turned back into it. A running service takes \
            it at once. Keys of one name are one caller: to replace a key make another of its name, hand it out, and \
            revoke the first.

            With --twilio it is a key for programs that speak Twilio Verify, and two lines are printed: an account's sid \
            (AC…) and its auth token, or, with --account or --service, the sid of one more key of that account (SK…) and \
            its secret. Such keys are good for the account's services and for nothing else.
            """
    )

    @Option(help: "The program that will call: letters, digits, and any of - . _ ~")
    var name: CallerName

    @Option(help: "What it may do; may be given more than once.")
    var scope: [APIScope] = [.verifications]

    @Flag(help: "Make a key for programs that speak Twilio Verify.")
    var twilio = false

    @Option(help: "With --twilio: the account that it is to be another key of: AC…")
    var account: AccountSID?

    @Option(help: "With --twilio: the only service that it is to be good for: VA…")
    var service: ServiceSID?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if twilio, Set(scope) != [.verifications] {
            throw ValidationError("--scope is not for keys of --twilio: they are good for services of an account")
        }
        if !twilio, account != nil || service != nil {
            throw ValidationError("--account and --service are for keys of --twilio")
        }
    }

    func run() async throws {
        try await reporting {
            let settings = try await options.load()
            if case .memory = settings.database {
                throw Failure(
                    .configuration,
                    "the database is in memory, and no service would know the key; name one by database.url"
                )
            }
            let store = try settings.openStore()
            let keys = APIKeys(
                store: store,
                tokens: OpenSSLTokenVault(),
                identifiers: OpenSSLRandom(),
                clock: SystemWallClock()
            )
            if twilio { return try await makeForTenants(keys, in: store) }
            let (key, secret) = try await keys.create(name: name, scopes: Set(scope))
            StandardError.write(
                "\(key.id) of \(key.name) may do: \(key.scopes.list). This is its secret; it is shown only now."
            )
            print(secret.text)
            return .done
        }
    }

    private func makeForTenants(_ keys: APIKeys, in store: any CompleteStore) async throws -> ExitStatus {
        let account = try await account(in: store)
        let (key, secret) = try await keys.createForTenants(name: name, account: account, tenant: service?.id)
        guard let names = TwilioKeyNames(of: key) else { return .done }
        let secretName = names.isFirst ? "auth token" : "secret"
        let use = names.service.map { "the service \($0)" } ?? "every service"
        StandardError.write(
            "\(names.sid) of \(key.name) is good for \(use) of \(account == nil ? "the new" : "the") account "
                + "\(names.account). Behind it is its \(secretName); it is shown only now."
        )
        print("\(names.sid)\n\(secret.text)")
        return .done
    }

    /// The account that it is to be another key of; nil for a new one.
    private func account(in store: any CompleteStore) async throws -> TenantAccount.ID? {
        if let account, try await !store.apiKeys().contains(where: { $0.account == account.id }) {
            throw Failure(.failed, "there is no account \(account); `keys list` shows the keys of those that there are")
        }
        guard let service else { return account?.id }
        guard let tenant = try await store.tenant(service.id), account == nil || account?.id == tenant.account else {
            throw Failure(.failed, "there is no service \(service)\(account.map { " in the account \($0)" } ?? "")")
        }
        return tenant.account
    }
}
