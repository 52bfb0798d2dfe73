import ArgumentParser
import CoreEncodings
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

struct CreateKeyCommand: AdminAct {
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

    @OptionGroup var act: ActOptions

    func administration(_ settings: Settings) throws -> Administration {
        settings.administration(over: try settings.storeOfService(knowing: "key"))
    }

    func send(to api: AdminAPI) async throws -> JSON {
        let scopes = JSON.array(scope.map { .string($0.rawValue) })
        return try await api.post("/keys", ["name": .string(name.description), "scopes": scopes])
    }

    func text(of body: JSON) -> String {
        StandardError.write(
            "Created \(body.cell("id")) for \(body.cell("name")), scopes: "
                + "\(body[path: "scopes"].strings.joined(separator: ", ")). Its secret is shown only once:"
        )
        return body.cell("secret")
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

struct ListKeysCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List API keys.",
        discussion: "LAST USED is accurate to a minute. Secrets are not stored, and so not shown."
    )

    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.list("/keys") }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No API keys; create one with `\(admin.store.command("keys", "create", "--name", "NAME"))`.",
            [
                .init("KEY", "id"), .init("NAME", "name"),
                .init("SCOPES", "scopes") { $0.strings.joined(separator: ", ") }, .init("CREATED", "created_at"),
                .init("LAST USED", "last_used_at", missing: "never"),
                .init("STATE") { $0[path: "revoked_at"] == .null ? "active" : "revoked" },
                .init("REVOKED", "revoked_at"), .init("AUDIENCE", "audience"),
            ]
        )
    }
}

struct RevokeKeyCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke an API key immediately, on all instances.",
        discussion: "Exits with 1 if there is no such key. Its verifications stay with other keys of the same name."
    )

    @Argument(help: "The key, as in `keys list`.") var id: IDArgument<APIKey>
    @OptionGroup var act: ActOptions

    static let remedy: String? = "`keys list` shows the IDs"

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/keys/\(api.id(id.text, in: "/keys"))/revoke")
    }

    func text(of body: JSON) -> String {
        let (id, name) = (body.cell("id"), body.cell("name"))
        return body["changed"]?.bool == true
            ? "Revoked \(id) of \(name)." : "\(id) of \(name) was already revoked at \(body.cell("revoked_at"))."
    }
}
