import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import Records

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Make, list and revoke clients: programs that sign people in here by OpenID Connect.",
        subcommands: [CreateClientCommand.self, ListClientsCommand.self, RevokeClientCommand.self]
    )
}

struct CreateClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a client, by which a program signs people in.",
        discussion: """
            Prints two lines: the client's ID and its secret, once; what is kept cannot be turned back into it. A running \
            service takes it at once. An app or a page keeps no secret: with --public only the ID is printed. The program \
            finds the rest at /.well-known/openid-configuration.
            """
    )

    @Option(
        help: "What people are told that they sign in to: letters, up to four digits, spaces and simple punctuation."
    )
    var name: TenantName

    @Option(
        name: .customLong("redirect-uri"),
        help: """
            Where people come back to, letter by letter; may be given more than once. An https URL, http on this machine, \
            or an app's own scheme such as com.example.app:/signed-in. A public client may choose the port of 127.0.0.1 \
            and [::1] itself.
            """
    )
    var redirectURIs: [RedirectURI]

    @Option(
        name: .customLong("logout-uri"),
        help: "Where people may be sent after signing out; may be given more than once."
    )
    var logoutURIs: [RedirectURI] = []

    @Option(
        name: .customLong("frame-ancestor"),
        help:
            "A site whose pages may show the sign-in in a frame, as https://shop.example; may be given more than once."
    )
    var frameAncestors: [WebOrigin] = []

    @Flag(help: "Make a client without a secret: an app, or a page that asks for tokens itself.") var `public` = false
    @Flag(help: "Print an object of JSON.") var json = false
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if redirectURIs.isEmpty {
            throw ValidationError("--redirect-uri is missing: where are people to come back to?")
        }
    }

    func execute() async throws {
        let settings = try await options.load()
        if case .memory = settings.database.place {
            throw Failure.configuration(
                "the database is in memory, and no service would know the client; name one by database.url"
            )
        }
        let clients = OAuthClients(
            store: try settings.openStore(),
            tokens: OpenSSLTokenVault(),
            identifiers: OpenSSLRandom(),
            clock: SystemWallClock()
        )
        let (client, secret) = try await clients.create(
            name: name,
            isPublic: `public`,
            redirectURIs: redirectURIs,
            logoutURIs: logoutURIs,
            frameAncestors: frameAncestors.map(\.description)
        )
        if json {
            return print(
                try JSON.object(["client_id": JSON(client.id), "client_secret": JSON(secret?.text)]).document()
            )
        }
        StandardError.write(
            "\(client.name.description) is a client now. This is its ID"
                + (secret == nil ? "; it has no secret." : ", and below it its secret, which is shown only now.")
        )
        print(([client.id.description] + [secret?.text].compactMap(\.self)).joined(separator: "\n"))
    }
}

struct ListClientsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Show clients: what they are called, and where people come back to.",
        discussion: "Nobody's secret is shown: it is not kept."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let clients = try await options.load().existingStore().clients()
        let listing = Listing<OAuthClient>(
            clients,
            columns: [
                .init("CLIENT", "client_id") { $0.id },
                .init("NAME", "name") { $0.name },
                .init("KIND", "kind") { $0.isPublic ? "public" : "confidential" },
                .init("REDIRECT URIS", nil) { $0.redirectURIs.map(\.description).joined(separator: " ") },
                .init(nil, "redirect_uris") { $0.redirectURIs.map(\.description) },
                .init(nil, "logout_uris") { $0.logoutURIs.map(\.description) },
                .init(nil, "frame_ancestors") { $0.frameAncestors },
                .init("MADE", "created_at") { $0.createdAt },
                .init("REVOKED", "revoked_at") { $0.revokedAt },
            ]
        )
        print(
            try listing.text(
                json: options.json,
                "clients",
                ifEmpty: "There are no clients; `clients create` makes one."
            )
        )
    }
}

struct RevokeClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Make a client worth nothing, at once and on every instance.",
        discussion: """
            Exits with 1 if there is no such client. It signs nobody in any more, and its refresh tokens are of no use; people \
            stay signed in to the pages.
            """
    )

    @Argument(help: "The client's ID as `clients list` shows it: cli_…") var id: Identifier<OAuthClient>
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        guard let client = try await options.load().existingStore().revokeClient(id, at: now) else {
            throw Failure.failed("there is no client \(id); `clients list` shows those that there are")
        }
        let moment = client.revokedAt ?? now
        print(
            moment == now
                ? "\(client.name) is revoked." : "\(client.name) was revoked at \(moment) already."
        )
    }
}
