import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain

struct TwilioVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "twilio-verify",
        abstract: "Manage what programs written for Twilio Verify need.",
        subcommands: [CreateTwilioKeyCommand.self]
    )
}

struct CreateTwilioKeyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create-key",
        abstract: "Create a key for a program that uses Twilio Verify.",
        discussion: """
            Prints two lines: the SID (AC…) and auth token of a new account, or, with --account or --service, the SID (SK…) \
            and secret of another key of that account. Such a key gives access to the account's services only. `keys list` \
            shows it and `keys revoke` revokes it, as key_… with the digits of its SID.
            """
    )

    @Option(help: "The name of the client: letters, digits and - . _ ~")
    var name: CallerName

    @Option(help: "The account to add a key to (AC…).")
    var account: SID<TenantAccount>?

    @Option(help: "Limit the key to one service (VA…).")
    var service: SID<Tenant>?

    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let (keys, store) = try await options.load().openKeys()
        if let account, try await !store.apiKeys().contains(where: { TenantKey($0)?.account == account.id }) {
            throw Failure.failed("account \(account) not found; `keys list` shows the accounts")
        }
        var accountID = account?.id
        if let service {
            guard let tenant = try await store.tenant(service.id), accountID == nil || accountID == tenant.account else {
                throw Failure.failed("service \(service) not found\(account.map { " in account \($0)" } ?? "")")
            }
            accountID = tenant.account
        }
        let (key, secret) = try await TenantKeys(keys: keys, identifiers: OpenSSLRandom())
            .create(name: name, account: accountID, tenant: service?.id, by: act.author)
        let sid = (key.isFirst ? "AC" : "SK") + key.id.hexadecimal
        let (secretName, owner) = key.isFirst ? ("auth token", "the new account") : ("secret", "account")
        StandardError.write(
            "Created \(sid) for \(name), for \(service.map { "service \($0)" } ?? "all services") of \(owner) "
                + "\(SID(key.account)). Its \(secretName), on the second line, is shown only once:"
        )
        print("\(sid)\n\(secret.text)")
    }
}

/// What has an ID in Twilio Verify's interface (https://www.twilio.com/docs/glossary/what-is-a-sid).
protocol TwilioResource: Identified {
    static var sidPrefix: String { get }
}

extension TenantAccount: TwilioResource {
    static let sidPrefix = "AC"
}

extension Tenant: TwilioResource {
    static let sidPrefix = "VA"
}

/// Two letters and 32 lower-case hexadecimal digits.
struct SID<Resource: TwilioResource>: ExpressibleByArgument, CustomStringConvertible {
    let id: Identifier<Resource>

    init(_ id: Identifier<Resource>) { self.id = id }

    init?(argument: String) {
        guard argument.hasPrefix(Resource.sidPrefix),
            let id = Identifier<Resource>(hexadecimal: argument.dropFirst(Resource.sidPrefix.count))
        else { return nil }
        self.id = id
    }

    var description: String { Resource.sidPrefix + id.hexadecimal }
}
