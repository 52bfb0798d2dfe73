import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneSettings
import Records

struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Manage API keys, encryption keys and signing keys.",
        groupedSubcommands: [
            CommandGroup(
                name: "API key",
                subcommands: [CreateKeyCommand.self, ListKeysCommand.self, RevokeKeyCommand.self]
            ),
            CommandGroup(
                name: "Encryption key",
                subcommands: [MakeKeysCommand.self, RotateKeysCommand.self]
            ),
            CommandGroup(
                name: "Signing key",
                subcommands: [ListSigningKeysCommand.self, RotateSigningKeyCommand.self]
            ),
        ]
    )
}

struct CreateKeyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create an API key for a program that calls the service.",
        discussion: """
            Prints the key's secret once; only its hash is stored. A running service accepts the key immediately. Keys with \
            the same name belong to the same client: to rotate a key, create another with its name, deploy it, and revoke \
            the old one.

            With --twilio, creates a key for programs that use Twilio Verify and prints two lines: the SID (AC…) and auth \
            token of a new account, or, with --account or --service, the SID (SK…) and secret of another key of that \
            account. Such a key gives access to the account's services only.
            """
    )

    @Option(help: "The name of the client: letters, digits and - . _ ~")
    var name: CallerName

    @Option(help: "What the key may be used for; repeatable.")
    var scope: [APIScope] = [.verifications]

    @Flag(help: "Create a key for Twilio Verify clients.") var twilio = false

    @Option(help: "With --twilio: the account to add a key to (AC…).")
    var account: AccountSID?

    @Option(help: "With --twilio: limit the key to one service (VA…).")
    var service: SID<Tenant>?

    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if twilio, Set(scope) != [.verifications] {
            throw ValidationError("--scope cannot be used with --twilio")
        }
        if !twilio, account != nil || service != nil {
            throw ValidationError("--account and --service require --twilio")
        }
    }

    func execute() async throws {
        let settings = try await options.load()
        if case .memory = settings.database.place {
            throw Failure.configuration(
                "the database is in memory, so no service would know the key; set database.url"
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
        let (key, secret) = try await keys.create(name: name, scopes: Set(scope), by: act.author)
        StandardError.write(
            "Created \(key.id) for \(key.name), scopes: \(key.scopes.list). Its secret is shown only once:"
        )
        print(secret.text)
    }

    private func makeForTenants(_ keys: APIKeys, in store: any CompleteStore) async throws {
        let account = try await account(in: store)
        let (key, secret) = try await keys.createForTenants(
            name: name,
            account: account,
            tenant: service?.id,
            by: act.author
        )
        guard let names = TwilioKeyNames(of: key) else { return }
        let secretName = names.isFirst ? "auth token" : "secret"
        let use = names.service.map { "service \($0)" } ?? "all services"
        StandardError.write(
            "Created \(names.sid) for \(key.name), for \(use) of \(account == nil ? "the new account" : "account") "
                + "\(names.account). Its \(secretName), on the second line, is shown only once:"
        )
        print("\(names.sid)\n\(secret.text)")
    }

    /// Nil for a new account.
    private func account(in store: any CompleteStore) async throws -> TenantAccount.ID? {
        let accounts = try await Set(store.apiKeys().compactMap(\.account))
        let account = try account?.name.only(of: Array(accounts), inOutputOf: "keys list") { SID($0).description }
        guard let service else { return account }
        guard let tenant = try await store.tenant(service.id), account == nil || account == tenant.account else {
            throw Failure.failed("service \(service) not found\(account.map { " in account \(SID($0))" } ?? "")")
        }
        return tenant.account
    }
}

struct ListKeysCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List API keys.",
        discussion: "LAST USED is accurate to a minute. Secrets are not stored, and so not shown."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let keys = try await options.load().existingStore().apiKeys()
        let listing = Listing<(key: APIKey, names: TwilioKeyNames?)>(
            keys.map { (key: $0, names: TwilioKeyNames(of: $0)) },
            columns: [
                .init("KEY", nil) { KeyName(of: $0.key) },
                .init("NAME", "name") { $0.key.name },
                .init("SCOPES", nil) { $0.key.scopes.list },
                .init(nil, "scopes") { $0.key.scopes.map(\.rawValue).sorted() },
                .init("CREATED", "created_at") { $0.key.createdAt },
                .init("LAST USED", "last_used_at", missing: "never") { $0.key.lastUsedAt },
                .init("STATE", nil) { $0.key.revokedAt == nil ? "active" : "revoked" },
                .init("REVOKED", "revoked_at") { $0.key.revokedAt },
                .init("ACCOUNT", "account") { row in row.key.account.map(SID.init) },
                .init("SERVICE", "service") { row in row.key.tenant.map(SID.init) },
                .init(nil, "kind") { $0.names == nil ? "api" : "twilio" },
                .init(nil, "id") { $0.key.id },
                .init(nil, "sid") { $0.names?.sid },
            ]
        )
        let ifEmpty = "No API keys; create one with `\(options.store.command("keys", "create", "--name", "NAME"))`."
        print(listing.text(json: options.json, "keys", ifEmpty: ifEmpty, .standardOutput))
    }
}

struct RevokeKeyCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an API key immediately, on all instances.",
        discussion: "Exits with 1 if there is no such key. Its verifications stay with other keys of the same name."
    )

    @Argument(help: "The key, as in `keys list`: key_…, AC… or SK…") var id: KeyArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        let store = try await options.load().existingStore()
        let found = try id.name.only(of: await store.apiKeys(), inOutputOf: "keys list") { KeyName(of: $0).description }
        let entry = act.author.entry(.revokeKey, found.id.description, at: now)
        guard let key = try await store.revoke(found.id, at: now, audit: entry) else {
            throw Failure.failed("\(id.name) not found; `keys list` shows the IDs")
        }
        let (name, moment) = (KeyName(of: key), key.revokedAt ?? now)
        print(
            moment == now
                ? "Revoked \(name) of \(key.name)." : "\(name) of \(key.name) was already revoked at \(moment)."
        )
    }
}

/// A key as `keys list` names it: `key_…`, or by its SID in Twilio's interface.
struct KeyName: ShortNamed {
    let description: String

    init(of key: APIKey) { description = TwilioKeyNames(of: key)?.sid ?? key.id.description }

    var shortName: String {
        let prefix = KeyArgument.prefixes.first { description.hasPrefix($0) } ?? ""
        return prefix + description.suffix(8)
    }
}

struct KeyArgument: ExpressibleByArgument {
    static let prefixes = [APIKey.identifierPrefix + "_", "AC", "SK"]
    let name: ShortName

    init?(argument: String) {
        guard let name = Self.prefixes.lazy.compactMap({ ShortName(argument, prefix: $0) }).first else { return nil }
        self.name = name
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

/// An account, whole or shortened as `keys list` shows it.
struct AccountSID: ExpressibleByArgument {
    let name: ShortName

    init?(argument: String) {
        guard let name = ShortName(argument, prefix: TenantAccount.sidPrefix) else { return nil }
        self.name = name
    }
}

/// Two letters and 32 lower-case hexadecimal digits.
struct SID<Resource: TwilioResource>: ExpressibleByArgument, ShortNamed {
    let id: Identifier<Resource>

    init(_ id: Identifier<Resource>) { self.id = id }

    init?(argument: String) {
        guard argument.hasPrefix(Resource.sidPrefix),
            let id = Identifier<Resource>(hexadecimal: argument.dropFirst(Resource.sidPrefix.count))
        else { return nil }
        self.id = id
    }

    var description: String { Resource.sidPrefix + id.hexadecimal }
    var shortName: String { Resource.sidPrefix + id.hexadecimal.suffix(8) }
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
