import ArgumentParser
import OpenSSLCrypto
import PhoneAccounts
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService
import PhoneStore

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
            """
    )

    @Option(help: "The name of the client: letters, digits and - . _ ~")
    var name: CallerName

    @Option(help: "What the key may be used for; repeatable.")
    var scope: [APIScope] = [.verifications]

    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let settings = try options.load()
        let keys = try settings.administration(over: settings.storeOfService(knowing: "key")).keys
        let (key, secret) = try await keys.create(name: name, scopes: Set(scope), by: act.author)
        StandardError.write(
            "Created \(key.id) for \(key.name), scopes: \(key.scopes.list). Its secret is shown only once:"
        )
        print(secret.text)
    }
}

extension Settings {
    /// The store of the service, which must know what is created in it.
    func storeOfService(knowing what: String) throws -> any SQLStore {
        if case .memory = database.place {
            throw Failure.configuration(
                "the database is in memory, so no service would know the \(what); set database.url"
            )
        }
        return try openStore()
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
        let listing = Listing(
            keys,
            columns: [
                .init("KEY", "id") { $0.id },
                .init("NAME", "name") { $0.name },
                .init("SCOPES", nil) { $0.scopes.list },
                .init(nil, "scopes") { $0.scopes.map(\.rawValue).sorted() },
                .init("CREATED", "created_at") { $0.createdAt },
                .init("LAST USED", "last_used_at", missing: "never") { $0.lastUsedAt },
                .init("STATE", nil) { $0.revokedAt == nil ? "active" : "revoked" },
                .init("REVOKED", "revoked_at") { $0.revokedAt },
                .init("AUDIENCE", "audience") { $0.audience },
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

    @Argument(help: "The key, as in `keys list`.") var id: IDArgument<APIKey>
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        let administration = try options.load().existingAdministration()
        let id = try await id.find(inOutputOf: "keys list") { try await administration.store.apiKeys().map(\.id) }
        let key: APIKey
        do {
            key = try await administration.revokeKey(id, by: act.author)
        } catch AdministrationFailure.notFound {
            throw Failure.failed("\(id) not found; `keys list` shows the IDs")
        }
        let moment = key.revokedAt ?? now
        print(
            moment >= now
                ? "Revoked \(id) of \(key.name)." : "\(id) of \(key.name) was already revoked at \(moment)."
        )
    }
}
