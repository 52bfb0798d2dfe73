import ArgumentParser
import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneStore
import SMSStub

struct CreateTwilioKey: DockCommand {
    static let keyOption: String? = "--twilio"
    static let configuration = CommandConfiguration(
        commandName: "create-key",
        abstract: "Create a key for a program that uses Twilio Verify.",
        discussion: """
            `phoneproof keys create --twilio` is the same.

            Prints two lines: the SID (AC…) and auth token of a new account, or, with --account or --service, the SID (SK…) \
            and secret of another key of that account. Such a key gives access to the account's services only. `keys list` \
            shows it and `keys revoke` revokes it, as key_… with the digits of its SID.
            """
    )

    @Option(
        help: "The name of the client: letters, digits and - . _ ~",
        transform: { text in
            guard let name = CallerName(text) else { throw ValidationError("it must be 1 to 64 of these characters") }
            return name
        }
    )
    var name: CallerName

    @Option(help: "The account to add a key to (AC…).") var account: SID<TenantAccount>?
    @Option(help: "Limit the key to one service (VA…).") var service: SID<Tenant>?

    func run(
        in store: any SQLStore,
        keys: APIKeys,
        by author: Operator
    ) async throws -> (notice: String, output: String) {
        if let account, try await !store.apiKeys().contains(where: { TenantKey($0)?.account == account.id }) {
            throw Failure.failed("account \(account) not found; `keys list` shows the accounts")
        }
        var owner = account?.id
        if let service {
            guard let tenant = try await store.tenant(service.id), owner == nil || owner == tenant.account else {
                throw Failure.failed("service \(service) not found\(account.map { " in account \($0)" } ?? "")")
            }
            owner = tenant.account
        }
        let (key, secret) = try await TenantKeys(keys: keys)
            .create(name: name, account: owner, tenant: service?.id, by: author)
        let sid = key.isFirst ? key.account.sid : "SK" + key.id.hexadecimal
        let (secretName, whose) = key.isFirst ? ("auth token", "the new account") : ("secret", "account")
        let notice =
            "Created \(sid) for \(name), for \(service.map { "service \($0)" } ?? "all services") of \(whose) "
            + "\(key.account.sid). Its \(secretName), on the second line, is shown only once:"
        return (notice, "\(sid)\n\(secret.text)")
    }
}

/// A SID with digits in lower case, as it was printed.
struct SID<Resource: TwilioResource>: ExpressibleByArgument, CustomStringConvertible {
    let id: Identifier<Resource>

    init?(argument: String) {
        guard argument.hasPrefix(Resource.sidPrefix),
            let id = Identifier<Resource>(hexadecimal: argument.dropFirst(Resource.sidPrefix.count))
        else { return nil }
        self.id = id
    }

    var description: String { id.sid }
}
