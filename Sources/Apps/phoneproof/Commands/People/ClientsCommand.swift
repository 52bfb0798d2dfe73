import ArgumentParser
import CoreEncodings
import PhoneAccounts
import PhoneAdministration
import PhoneCLI
import PhoneDomain
import PhoneService

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
    var redirectURIs: [String] = []

    @Option(
        name: .customLong("logout-uri"),
        help: "A URI to redirect to after signing out; may be repeated."
    )
    var logoutURIs: [String] = []

    @Option(
        name: .customLong("frame-ancestor"),
        help:
            """
            An origin whose pages may show the sign-in in a frame; may be repeated. Browsers keep the sign-in's cookies from \
            frames in other sites, so it must share a domain with this service: https://shop.example with \
            https://phone.shop.example.
            """
    )
    var frameAncestors: [String] = []

    @Option(
        name: .customLong("scope"),
        help: """
            What the client may do on its own behalf, in the words of the API that it calls; may be repeated. Only with the \
            grant client_credentials.
            """
    )
    var scopes: [String] = []

    @Option(help: "The https URL of a logo to show on the sign-in pages.") var logo: String?

    @Option(
        help: """
            The color of buttons and links, such as #0b57d0. White text on it must have a contrast of 4.5:1; in the dark \
            scheme a lighter tint is used.
            """
    )
    var accent: String?

    @Option(help: "The radius of the corners of fields and buttons, 0 to 32 px.") var radius: Int?

    @Option(name: .customLong("id-token-algorithm"), help: "How ID tokens are signed: RS256 (default) or ES256.")
    var idTokenAlgorithm: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Whether a client with a secret must use PKCE, as it does unless told otherwise. Without it, whoever gets hold \
            of a code in a browser can have it exchanged by the client.
            """
    )
    var pkceRequired: Bool?

    @Flag(
        name: .customLong("device-sign-in"),
        inversion: .prefixedNo,
        help: "Whether it may sign people in on devices without a browser, by a code that they type (RFC 8628)."
    )
    var deviceSignIn: Bool?

    /// What was given, as the admin API takes it; the rest stays.
    func members() throws -> [(String, JSON)] {
        func list(_ texts: [String]) -> JSON { texts.isEmpty ? .null : .array(texts.map { .string($0) }) }
        return [
            ("redirect_uris", list(redirectURIs)), ("logout_uris", list(logoutURIs)),
            ("frame_ancestors", list(frameAncestors)), ("scopes", list(scopes)), ("logo", .string(logo)),
            ("accent", .string(accent)), ("radius", .integer(radius)),
            ("id_token_signed_response_alg", .string(idTokenAlgorithm)),
            ("pkce_required", pkceRequired.map { .bool($0) } ?? .null),
            ("device_sign_in", deviceSignIn.map { .bool($0) } ?? .null),
        ]
    }
}

struct CreateClientCommand: AdminAct {
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
    var name: String

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
    @OptionGroup var act: ActOptions

    func validate() throws {
        if grants.contains(.authorizationCode), profile.redirectURIs.isEmpty, profile.deviceSignIn != true {
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
    }

    func administration(_ settings: Settings) throws -> Administration {
        settings.administration(over: try settings.storeOfService(knowing: "client"))
    }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("/clients", [("name", .string(name)), ("public", .bool(`public`))] + profile.members())
    }

    func text(of body: JSON) -> String { body.secrets(after: "Created") }
}

extension JSON {
    /// The ID of a client and its secret, if it has one, on two lines; what they are is said on the error stream.
    fileprivate func secrets(after done: String) -> String {
        let secret = self["client_secret"]?.string
        let what = secret == nil ? "client ID:" : "client ID and secret, which is shown only now:"
        StandardError.write("\(done) \(cell("name")). Its \(what)")
        return [cell("id"), secret].compactMap(\.self).joined(separator: "\n")
    }
}

struct ClientArgument: ParsableArguments {
    @Argument(help: "The client's ID (cli_…), whole or as `clients list` shows it.") var id: IDArgument<RelyingParty>

    fileprivate static let remedy = "see `phoneproof clients list`"

    fileprivate func path(_ api: AdminAPI) async throws -> String {
        "/clients/\(try await api.id(id.text, in: "/clients"))"
    }
}

struct UpdateClientCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "update",
        abstract: "Change a client.",
        discussion: """
            What is given replaces what was there, and the rest stays: one --redirect-uri leaves that one alone. A running \
            service follows immediately. Exits with 1 if the client does not exist.
            """
    )

    @OptionGroup var client: ClientArgument
    @Option(help: "The name that people see when they sign in.") var name: String?
    @OptionGroup var profile: ClientOptions
    @OptionGroup var act: ActOptions

    static let remedy: String? = ClientArgument.remedy

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post(client.path(api), [("name", .string(name))] + profile.members(), method: "PATCH")
    }

    func text(of body: JSON) -> String {
        "\(body.cell("name")) is \(body["changed"]?.bool == true ? "changed" : "as it was")."
    }
}

struct RotateClientSecretCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "rotate-secret",
        abstract: "Give a client a new secret.",
        discussion: """
            Prints the client ID and the new secret on two lines. The old secret stays valid for --overlap, so that the \
            client's servers can change over one by one. If the secret was stolen, use --overlap 0.
            """
    )

    @OptionGroup var client: ClientArgument
    @Option(help: "For how many hours the old secret stays valid, 0 to 720.") var overlap = 24
    @OptionGroup var act: ActOptions

    static let remedy: String? = ClientArgument.remedy

    func validate() throws {
        guard (0...720).contains(overlap) else { throw ValidationError("--overlap must be 0 to 720 hours") }
    }

    func send(to api: AdminAPI) async throws -> JSON {
        try await api.post("\(client.path(api))/rotate-secret", [("overlap_hours", .integer(overlap))])
    }

    func text(of body: JSON) -> String { body.secrets(after: "Rotated the secret of") }
}

struct ShowClientCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Print all that is known of a client, as JSON.",
        discussion: "Its secret is not stored, and so not shown. Exits with 1 if the client does not exist."
    )

    @OptionGroup var client: ClientArgument
    @OptionGroup var admin: AdminOptions

    static let remedy: String? = ClientArgument.remedy

    func send(to api: AdminAPI) async throws -> JSON { try await api.get(client.path(api)) }

    func text(of body: JSON) -> String { body.indentedText }
}

struct ListClientsCommand: AdminCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List clients.",
        discussion: "Secrets are not stored, and so not shown."
    )

    @OptionGroup var admin: AdminOptions

    func send(to api: AdminAPI) async throws -> JSON { try await api.list("/clients") }

    func text(of body: JSON) -> String {
        table(
            body,
            ifEmpty: "No clients. Create one with `\(admin.store.command("clients", "create"))`.",
            [
                .init("CLIENT", "id"), .init("NAME", "name"),
                .init("TYPE", "public") { $0.bool == true ? "public" : "confidential" },
                .init("REDIRECT URIS", "redirect_uris"), .init("CREATED", "created_at"), .init("REVOKED", "revoked_at"),
            ]
        )
    }
}

struct RevokeClientCommand: AdminAct {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a client immediately, on every instance.",
        discussion: """
            The client can no longer sign people in, and its refresh tokens are invalid. People stay signed in to the hosted \
            pages. Exits with 1 if the client does not exist.
            """
    )

    @OptionGroup var client: ClientArgument
    @OptionGroup var act: ActOptions

    static let remedy: String? = ClientArgument.remedy

    func send(to api: AdminAPI) async throws -> JSON { try await api.post("\(client.path(api))/revoke") }

    func text(of body: JSON) -> String {
        body["changed"]?.bool == true
            ? "\(body.cell("name")) is revoked."
            : "\(body.cell("name")) was already revoked at \(body.cell("revoked_at"))."
    }
}
