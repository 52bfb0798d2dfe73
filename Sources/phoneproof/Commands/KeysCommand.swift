import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import Records

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract:
            "Make, list and revoke API keys; make and rotate the keys that codes are sealed under and tokens signed with.",
        groupedSubcommands: [
            CommandGroup(
                name: "API keys, by which programs call",
                subcommands: [CreateKeyCommand.self, ListKeysCommand.self, RevokeKeyCommand.self]
            ),
            CommandGroup(
                name: "Sealing keys, in a file of the service",
                subcommands: [MakeKeysCommand.self, RotateKeysCommand.self]
            ),
            CommandGroup(
                name: "Signing keys of access tokens, in the database",
                subcommands: [ListSigningKeysCommand.self, RotateSigningKeyCommand.self]
            ),
        ]
    )
}

struct CreateKeyCommand: Command {
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

    @Flag(help: "Make a key for programs that speak Twilio Verify.") var twilio = false

    @Option(help: "With --twilio: the account that it is to be another key of: AC…")
    var account: SID<TenantAccount>?

    @Option(help: "With --twilio: the only service that it is to be good for: VA…")
    var service: SID<Tenant>?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if twilio, Set(scope) != [.verifications] {
            throw ValidationError("--scope is not for keys of --twilio: they are good for services of an account")
        }
        if !twilio, account != nil || service != nil {
            throw ValidationError("--account and --service are for keys of --twilio")
        }
    }

    func execute() async throws {
        let settings = try await options.load()
        if case .memory = settings.database.place {
            throw Failure.configuration(
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
    }

    private func makeForTenants(_ keys: APIKeys, in store: any CompleteStore) async throws {
        let account = try await account(in: store)
        let (key, secret) = try await keys.createForTenants(name: name, account: account, tenant: service?.id)
        guard let names = TwilioKeyNames(of: key) else { return }
        let secretName = names.isFirst ? "auth token" : "secret"
        let use = names.service.map { "the service \($0)" } ?? "every service"
        StandardError.write(
            "\(names.sid) of \(key.name) is good for \(use) of \(account == nil ? "the new" : "the") account "
                + "\(names.account). Behind it is its \(secretName); it is shown only now."
        )
        print("\(names.sid)\n\(secret.text)")
    }

    /// Nil for a new account.
    private func account(in store: any CompleteStore) async throws -> TenantAccount.ID? {
        if let account, try await !store.apiKeys().contains(where: { $0.account == account.id }) {
            throw Failure.failed("there is no account \(account); `keys list` shows the keys of those that there are")
        }
        guard let service else { return account?.id }
        guard let tenant = try await store.tenant(service.id), account == nil || account?.id == tenant.account else {
            throw Failure.failed("there is no service \(service)\(account.map { " in the account \($0)" } ?? "")")
        }
        return tenant.account
    }
}

struct ListKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show API keys: whose they are, what they may do, and when they were last used.",
        discussion: "A use is recorded once a minute. Nobody's secret is shown: it is not kept."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let keys = try await options.load().existingStore().apiKeys()
        let listing = Listing<(key: APIKey, names: TwilioKeyNames?)>(
            keys.map { (key: $0, names: TwilioKeyNames(of: $0)) },
            columns: [
                .init("KEY", nil) { $0.names?.sid ?? $0.key.id.description },
                .init("NAME", "name") { $0.key.name },
                .init("KIND", "kind") { $0.names == nil ? "api" : "twilio" },
                .init("MAY DO", nil) { $0.key.scopes.list },
                .init(nil, "scopes") { $0.key.scopes.map(\.rawValue).sorted() },
                .init("MADE", "created_at") { $0.key.createdAt },
                .init("LAST USED", "last_used_at", missing: "never") { $0.key.lastUsedAt },
                .init("REVOKED", "revoked_at") { $0.key.revokedAt },
                .init("ACCOUNT", "account") { $0.names?.account },
                .init("SERVICE", nil) { row in row.names.map { $0.service ?? "all" } },
                .init(nil, "id") { $0.key.id },
                .init(nil, "sid") { $0.names?.sid },
                .init(nil, "service") { $0.names?.service },
            ]
        )
        print(try listing.text(json: options.json, "keys", ifEmpty: "There are no API keys; `keys create` makes one."))
    }
}

struct RevokeKeyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make an API key worth nothing, at once and on every instance.",
        discussion:
            "Exits with 1 if there is no such key. What was begun with it stays with the other keys of its name."
    )

    @Argument(help: "The key's name as `keys list` shows it: key_…, AC… or SK…") var id: KeyArgument
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        let store = try await options.load().existingStore()
        guard let found = try await store.apiKey(id.id), id.names(found),
            let key = try await store.revoke(id.id, at: now)
        else {
            throw Failure.failed("there is no key \(id); `keys list` shows those that there are")
        }
        let moment = key.revokedAt ?? now
        print(
            moment == now
                ? "\(id) of \(key.name) is revoked." : "\(id) of \(key.name) was revoked at \(moment) already."
        )
    }
}

/// A key as `keys list` names it: `key_…`, or by Twilio's names `AC…` or `SK…`.
struct KeyArgument: ExpressibleByArgument, CustomStringConvertible {
    let id: APIKey.ID
    let description: String

    init?(argument: String) {
        let isTwilios = argument.hasPrefix("AC") || argument.hasPrefix("SK")
        guard let id = isTwilios ? APIKey.ID(hexadecimal: argument.dropFirst(2)) : APIKey.ID(argument) else {
            return nil
        }
        self.id = id
        description = argument
    }

    func names(_ key: APIKey) -> Bool {
        description == key.id.description || description == TwilioKeyNames(of: key)?.sid
    }
}

/// What has an ID in Twilio Verify's interface.
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

/// The SIDs of a key for Twilio Verify's interface (https://www.twilio.com/docs/glossary/what-is-a-sid).
struct TwilioKeyNames {
    /// Whether it is the account's first key, which has the account's SID.
    let isFirst: Bool
    /// `AC…` or `SK…`.
    let sid: String
    let account: String
    /// `VA…`; nil if the key is for all services of the account.
    let service: String?

    /// Nil for a key of the service's own interface.
    init?(of key: APIKey) {
        guard let account = key.account else { return nil }
        isFirst = account.hexadecimal == key.id.hexadecimal
        sid = (isFirst ? "AC" : "SK") + key.id.hexadecimal
        self.account = SID(account).description
        service = key.tenant.map { SID($0).description }
    }
}
