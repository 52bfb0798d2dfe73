import ArgumentParser
import CoreEncodings
import OpenSSLCrypto
import PhoneAccounts
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneHTTP
import PhoneService
import PhoneStore

struct ClientsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clients",
        abstract: "Manage clients: programs that sign people in by OpenID Connect, or get tokens for themselves.",
        subcommands: [
            CreateClientCommand.self, ListClientsCommand.self, ShowClientCommand.self, UpdateClientCommand.self,
            RotateClientSecretCommand.self, RevokeClientCommand.self,
        ]
    )
}

/// What `clients create` and `clients update` set of a client.
struct ClientOptions: ParsableArguments {
    @Option(
        name: .customLong("redirect-uri"),
        help: """
            A redirect URI, compared exactly; may be repeated. An https URL, http on this machine, or an app's own scheme \
            such as com.example.app:/signed-in. A public client may use any port of 127.0.0.1 and [::1].
            """
    )
    var redirectURIs: [RedirectURI] = []

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

    @Option(
        name: .customLong("scope"),
        help: """
            What the client may do on its own behalf, in the words of the API that it calls; may be repeated. Only with the \
            grant client_credentials.
            """
    )
    var scopes: [ClientScope] = []

    @Option(help: "The https URL of a logo to show on the sign-in pages.") var logo: RedirectURI?

    @Option(
        help: """
            The color of buttons and links, such as #0b57d0. White text on it must have a contrast of 4.5:1; in the dark \
            scheme a lighter tint is used.
            """
    )
    var accent: Color?

    @Option(help: "The radius of the corners of fields and buttons, 0 to 32 px.") var radius: Int?

    @Option(name: .customLong("id-token-algorithm"), help: "How ID tokens are signed: RS256 (default) or ES256.")
    var idTokenAlgorithm: SigningAlgorithm?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Whether a client with a secret must use PKCE, as it does unless told otherwise. Without it, whoever gets hold \
            of a code in a browser can have it exchanged by the client.
            """
    )
    var pkceRequired: Bool?

    /// Sets what was given; the rest stays.
    func apply(to profile: inout ClientProfile) throws {
        if !redirectURIs.isEmpty { profile.redirectURIs = redirectURIs }
        if !scopes.isEmpty { profile.scopes = Set(scopes) }
        if !logoutURIs.isEmpty { profile.logoutURIs = logoutURIs }
        if !frameAncestors.isEmpty { profile.frameAncestors = frameAncestors.map(\.description) }
        if let idTokenAlgorithm { profile.idTokenAlgorithm = idTokenAlgorithm }
        if let pkceRequired { profile.requiresPKCE = pkceRequired }
        let theme = profile.theme
        do {
            profile.theme = try ClientTheme(
                logo: logo ?? theme.logo,
                accent: accent ?? theme.accent,
                radius: radius ?? theme.radius
            )
        } catch {
            throw ValidationError("\(error)")
        }
    }
}

extension Failure {
    fileprivate static func noClient(_ id: OAuthClient.ID) -> Failure {
        .failed("client \(id) not found; see `phoneproof clients list`")
    }
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
        name: .customLong("grant"),
        help: """
            How the client gets tokens: authorization_code (default), by signing people in, or client_credentials, for \
            itself; may be repeated.
            """
    )
    var grants: [Grant] = [.authorizationCode]

    enum Grant: String, ExpressibleByArgument, CaseIterable {
        case authorizationCode = "authorization_code"
        case clientCredentials = "client_credentials"
    }

    @OptionGroup var profile: ClientOptions
    @Flag(help: "Create a client without a secret, for an app or a single-page app.") var `public` = false
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        if grants.contains(.authorizationCode), profile.redirectURIs.isEmpty {
            throw ValidationError(
                "--redirect-uri is missing: give the URI of your app that people return to after signing in"
            )
        }
        guard grants.contains(.authorizationCode) || profile.redirectURIs.isEmpty else {
            throw ValidationError("--redirect-uri is only for --grant authorization_code")
        }
        guard grants.contains(.clientCredentials) != profile.scopes.isEmpty else {
            throw ValidationError("--grant client_credentials and --scope need each other")
        }
        if `public`, grants.contains(.clientCredentials) {
            throw ValidationError("--grant client_credentials needs a secret: leave out --public")
        }
        if `public`, profile.pkceRequired == false {
            throw ValidationError("a public client needs PKCE: leave out --public or --no-pkce-required")
        }
        _ = try made()
    }

    private func made() throws -> ClientProfile {
        var made = ClientProfile(name: name, redirectURIs: [])
        try profile.apply(to: &made)
        return made
    }

    func execute() async throws {
        let settings = try options.load()
        let clients = try settings.administration(over: settings.storeOfService(knowing: "client")).clients
        let (client, secret) = try await clients.create(made(), isPublic: `public`, by: act.author)
        client.report(secret, "Created", json: json)
    }
}

extension OAuthClient {
    /// Prints the ID, and the secret that a new client or a rotation has.
    fileprivate func report(_ secret: SecretToken?, _ done: String, json: Bool) {
        if json {
            let answer: JSON = ["client_id": JSON(id), "client_secret": .string(secret?.text)]
            return print(answer.indentedText)
        }
        StandardError.write(
            secret == nil
                ? "\(done) \(name). Its client ID:"
                : "\(done) \(name). Its client ID and secret, which is shown only now:"
        )
        print(([id.description] + [secret?.text].compactMap(\.self)).joined(separator: "\n"))
    }
}

struct ClientArgument: ParsableArguments {
    @Argument(help: "The client's ID (cli_…), whole or as `clients list` shows it.") var id: IDArgument<RelyingParty>

    func find(in store: any OpenIDStore) async throws -> OAuthClient.ID {
        try await id.find(inOutputOf: "clients list") { try await store.clients().map(\.id) }
    }
}

struct UpdateClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change a client.",
        discussion: """
            What is given replaces what was there, and the rest stays: one --redirect-uri leaves that one alone. A running \
            service follows immediately. Exits with 1 if the client does not exist.
            """
    )

    @OptionGroup var client: ClientArgument
    @Option(help: "The name that people see when they sign in.") var name: DisplayName?
    @OptionGroup var profile: ClientOptions
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let administration = try options.load().existingAdministration()
        let store = administration.store
        let id = try await client.find(in: store)
        guard let client = try await store.client(id) else { throw Failure.noClient(id) }
        if client.isPublic, profile.pkceRequired == false {
            throw ValidationError("\(client.name) is a public client, which needs PKCE")
        }
        if client.isPublic, !profile.scopes.isEmpty {
            throw ValidationError("\(client.name) is a public client, which gets no tokens for itself")
        }
        var changed = client.profile
        try change(&changed)
        guard changed != client.profile else { return print("\(client.name) is as it was.") }
        // On what is stored by then, so that of two commands at once none undoes the other's part.
        _ = try await administration.clients.update(id, by: act.author) { try? change(&$0) }
        print("\(changed.name) is changed.")
    }

    private func change(_ profile: inout ClientProfile) throws {
        if let name { profile.name = name }
        try self.profile.apply(to: &profile)
    }
}

struct RotateClientSecretCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Give a client a new secret.",
        discussion: """
            Prints the client ID and the new secret on two lines. The old secret stays valid for --overlap, so that the \
            client's servers can change over one by one. Of a secret that was stolen give --overlap 0.
            """
    )

    @OptionGroup var client: ClientArgument
    @Option(help: "For how many hours the old secret stays valid, 0 to 720.") var overlap = 24
    @Flag(help: "Print JSON.") var json = false
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard (0...720).contains(overlap) else { throw ValidationError("--overlap must be 0 to 720 hours") }
    }

    func execute() async throws {
        let administration = try options.load().existingAdministration()
        let store = administration.store
        let id = try await client.find(in: store)
        guard
            let (client, secret) = try await administration.clients.rotateSecret(
                of: id,
                overlap: .seconds(overlap * 3600),
                by: act.author
            )
        else {
            guard let client = try await store.client(id) else { throw Failure.noClient(id) }
            throw Failure.failed(
                client.isPublic ? "\(client.name) is a public client, without a secret" : "\(client.name) is revoked"
            )
        }
        client.report(secret, "Rotated the secret of", json: json)
    }
}

struct ShowClientCommand: Command {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all that is known of a client, as JSON.",
        discussion: "Its secret is not stored, and so not shown. Exits with 1 if the client does not exist."
    )

    @OptionGroup var client: ClientArgument
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let store = try options.load().existingStore()
        let id = try await client.find(in: store)
        guard let client = try await store.client(id) else { throw Failure.noClient(id) }
        let listing = Listing<OAuthClient>([client], columns: OAuthClient.columns)
        print(JSON.object(listing.members(of: client)).indentedText)
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
        let listing = Listing<OAuthClient>(clients, columns: OAuthClient.columns)
        print(
            listing.text(
                json: options.json,
                "clients",
                ifEmpty: "No clients. Create one with `\(options.store.command("clients", "create"))`.",
                .standardOutput
            )
        )
    }
}

extension OAuthClient {
    fileprivate static var columns: [Listing<OAuthClient>.Column] {
        [
            .init("CLIENT", "client_id") { $0.id },
            .init("NAME", "name") { $0.name },
            .init("TYPE", "type") { $0.isPublic ? "public" : "confidential" },
            .init("REDIRECT URIS", nil) { $0.profile.redirectURIs.map(\.description).joined(separator: " ") },
            .init(nil, "redirect_uris") { $0.profile.redirectURIs.map(\.description) },
            .init(nil, "scopes") { $0.profile.scopes.map(\.rawValue).sorted() },
            .init(nil, "logout_uris") { $0.profile.logoutURIs.map(\.description) },
            .init(nil, "frame_ancestors") { $0.profile.frameAncestors },
            .init(nil, "logo") { $0.profile.theme.logo?.description },
            .init(nil, "accent") { $0.profile.theme.accent?.description },
            .init(nil, "radius") { $0.profile.theme.radius },
            .init(nil, "id_token_signed_response_alg") { $0.profile.idTokenAlgorithm.rawValue },
            .init(nil, "pkce_required") { $0.requiresPKCE },
            .init(nil, "former_secret_ends_at") { $0.formerSecret?.endsAt },
            .init("CREATED", "created_at") { $0.createdAt },
            .init("REVOKED", "revoked_at") { $0.revokedAt },
        ]
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

    @OptionGroup var client: ClientArgument
    @OptionGroup var act: OperatorOptions
    @OptionGroup var options: StoreOptions

    func execute() async throws {
        let administration = try options.load().existingAdministration()
        let store = administration.store
        let (now, id) = (SystemWallClock().now(), try await client.find(in: store))
        guard let client = try await administration.clients.revoke(id, by: act.author)
        else { throw Failure.noClient(id) }
        let moment = client.revokedAt ?? now
        print(
            moment >= now
                ? "\(client.name) is revoked." : "\(client.name) was revoked at \(moment) already."
        )
    }
}
