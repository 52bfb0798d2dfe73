import ArgumentParser
import OpenSSLCrypto
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneSettings
import Records
import TextEncodings

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Manage clients: programs that sign people in by OpenID Connect.",
        subcommands: [CreateClientCommand.self, ListClientsCommand.self, RevokeClientCommand.self]
    )
}

struct CreateClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a client.",
        discussion: """
            Prints the client ID and the client secret on two lines. The secret is stored hashed and cannot be shown again. A \
            running service accepts it immediately. An app or a page cannot keep a secret: with --public only the ID is \
            printed. The client finds the rest at /.well-known/openid-configuration.
            """
    )

    @Option(
        help: "The name that people see when they sign in: letters, up to four digits, spaces and simple punctuation."
    )
    var name: DisplayName

    @Option(
        name: .customLong("redirect-uri"),
        help: """
            A redirect URI, compared exactly; may be repeated. An https URL, http on this machine, or an app's own scheme \
            such as com.example.app:/signed-in. A public client may use any port of 127.0.0.1 and [::1].
            """
    )
    var redirectURIs: [RedirectURI]

    @Option(
        name: .customLong("logout-uri"),
        help: "A URI to redirect to after signing out; may be repeated."
    )
    var logoutURIs: [RedirectURI] = []

    @Option(
        name: .customLong("frame-ancestor"),
        help:
            """
            An origin whose pages may show the sign-in in a frame; may be repeated. Browsers keep the sign-in's cookies from \
            frames in other sites, so it must share a domain with this service: https://shop.example with \
            https://phone.shop.example.
            """
    )
    var frameAncestors: [WebOrigin] = []

    @Option(help: "The https URL of a logo to show on the sign-in pages.") var logo: RedirectURI?

    @Option(
        help: """
            The color of buttons and links, such as #0b57d0. White text on it must have a contrast of 4.5:1; in the dark \
            scheme a lighter tint is used.
            """
    )
    var accent: Color?

    @Option(help: "The radius of the corners of fields and buttons, 0 to 32 px.") var radius: Int?

    @Flag(help: "Create a client without a secret, for an app or a single-page app.") var `public` = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if redirectURIs.isEmpty {
            throw ValidationError(
                "--redirect-uri is missing: give the URI of your app that people return to after signing in"
            )
        }
        _ = try makeTheme()
    }

    private func makeTheme() throws -> ClientTheme {
        do {
            return try ClientTheme(logo: logo, accent: accent, radius: radius)
        } catch {
            throw ValidationError("\(error)")
        }
    }

    func execute() async throws {
        let theme = try makeTheme()
        let settings = try await options.load()
        if case .memory = settings.database.place {
            throw Failure.configuration(
                "the database is in memory, so no service would know the client; set database.url"
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
            frameAncestors: frameAncestors.map(\.description),
            theme: theme,
            by: act.author
        )
        if json {
            let answer: JSON = ["client_id": JSON(client.id), "client_secret": .string(secret?.text)]
            return print(answer.indentedText)
        }
        StandardError.write(
            secret == nil
                ? "Created \(client.name). Its client ID:"
                : "Created \(client.name). Its client ID and secret, which is shown only now:"
        )
        print(([client.id.description] + [secret?.text].compactMap(\.self)).joined(separator: "\n"))
    }
}

struct ListClientsCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List clients.",
        discussion: "Secrets are not stored, and so not shown."
    )

    @OptionGroup var options: ReportOptions

    func execute() async throws {
        let clients = try await options.load().existingStore().clients()
        let listing = Listing<OAuthClient>(
            clients,
            columns: [
                .init("CLIENT", "client_id") { $0.id },
                .init("NAME", "name") { $0.name },
                .init("TYPE", "type") { $0.isPublic ? "public" : "confidential" },
                .init("REDIRECT URIS", nil) { $0.redirectURIs.map(\.description).joined(separator: " ") },
                .init(nil, "redirect_uris") { $0.redirectURIs.map(\.description) },
                .init(nil, "logout_uris") { $0.logoutURIs.map(\.description) },
                .init(nil, "frame_ancestors") { $0.frameAncestors },
                .init(nil, "logo") { $0.theme.logo?.description },
                .init(nil, "accent") { $0.theme.accent?.description },
                .init(nil, "radius") { $0.theme.radius },
                .init("CREATED", "created_at") { $0.createdAt },
                .init("REVOKED", "revoked_at") { $0.revokedAt },
            ]
        )
        print(
            listing.text(
                json: options.json,
                "clients",
                ifEmpty: "No clients. Create one with `\(options.store.command("clients", "create"))`."
            )
        )
    }
}

struct RevokeClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a client immediately, on every instance.",
        discussion: """
            The client can no longer sign people in, and its refresh tokens are invalid. People stay signed in to the hosted \
            pages. Exits with 1 if the client does not exist.
            """
    )

    @Argument(help: "The client's ID as `clients list` shows it: cli_…") var id: Identifier<OAuthClient>
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let now = SystemWallClock().now()
        let entry = act.author.entry(.revokeClient, id.description, at: now)
        guard let client = try await options.load().existingStore().revokeClient(id, at: now, audit: entry) else {
            throw Failure.failed("client \(id) not found; see `phoneproof clients list`")
        }
        let moment = client.revokedAt ?? now
        print(
            moment == now
                ? "\(client.name) is revoked." : "\(client.name) was revoked at \(moment) already."
        )
    }
}
