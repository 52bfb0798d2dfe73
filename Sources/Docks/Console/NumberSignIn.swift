import CoreEncodings
import HTTPTypes
import Logging
import PhoneAccounts
import PhoneAdministration
import PhoneDomain
import PhoneHTTP
import PhoneNumbers
import PhoneService
import PhoneSignup
import Texts

/// Who signs in with a phone number, and what each may do. To the service's own sign-in the console is a client as any
/// other.
struct NumberOperators: Sendable {
    let client: OAuthClient.ID
    let roles: [PhoneNumber: Role]

    /// Reads the settings; nil if nobody signs in with a number.
    init?(_ console: SettingsSection) {
        let client = console("client").value(
            example: "cli_00000000000000000000000000000000",
            "the ID of a client (cli_…)",
            { OAuthClient.ID($0) }
        ) {
            "The client of this service by which operators sign in with their phone numbers. It is created by:"
            "`phoneproof clients create --public --name Console --redirect-uri https://console.example.com/console/signed-in`."
        }
        var roles: [PhoneNumber: Role] = [:]
        for (index, role) in Role.allCases.enumerated() {
            let numbers = console("operators.\(role)").list(
                [PhoneNumber](),
                example: "[\"+82101234567\(index)\"]",
                "phone numbers with + and country code, in quotes",
                { try? PhoneNumber(e164: $0) }
            ) {
                "Phone numbers that sign in to the console with the role \(role). An SMS is a weak proof: see the article."
            }
            for number in numbers where roles.updateValue(role, forKey: number) != nil {
                console.reader.failTogether("console.operators has \(number.masked) twice; list it once")
            }
        }
        // The masked number is the name on the audit log.
        if Set(roles.keys.map(\.masked)).count < roles.count {
            console.reader.failTogether(
                "console.operators has two numbers that are masked alike, so that the audit log could not distinguish them; "
                    + "give one of the two an API key"
            )
        }
        if roles.isEmpty != (client == nil) {
            console.reader.failTogether("console.client and a list in console.operators must be set together")
        }
        guard let client, !roles.isEmpty else { return nil }
        (self.client, self.roles) = (client, roles)
    }
}

/// Sign-in by OpenID Connect (authorization code with PKCE) at the service that this is the console of. The code is
/// exchanged in the process; what counts afterwards is the session that it opened, which ends when the account is
/// signed out or suspended.
extension ConsoleRoutes {
    /// The verifier of a sign-in that has begun: when, something random, and what shows that we made it.
    private static let verifier = BrowserCookies.Kind("console_verifier")
    private static let longestSignIn: Duration = .seconds(600)

    private func makeVerifier() throws -> SecretToken {
        let parts = ["\(now.milliseconds)", try service.tokens.makeToken(prefix: "").text]
        let proof = try service.deriver.derive(.signInStart, from: parts)
        return SecretToken((parts + proof.prefix(1)).joined(separator: "."))
    }

    /// When the sign-in of this verifier began; nil for one that we have not made, or too long ago.
    private func start(of verifier: String) throws -> Timestamp? {
        let parts = verifier.utf8.split(separator: UInt8(ascii: ".")).map { String(Substring($0)) }
        guard parts.count == 3, try service.deriver.isDerived(parts[2], .signInStart, from: Array(parts[..<2])),
            let start = Int64(parts[0]).map(Timestamp.init(milliseconds:)), now < start + Self.longestSignIn
        else { return nil }
        return start
    }

    private func client() async throws -> (OAuthClient, RedirectURI) {
        guard let operators = sessions.operators else { throw ConsoleRefusal.role }
        let client = try await service.accounts.clients.client(operators.client)
        let uri = client?.profile.redirectURIs.first { $0.description.hasSuffix("/console/signed-in") }
        guard let client, let uri else {
            throw AdministrationFailure.conflict(
                "console.client is not a client with a redirect URI that ends in /console/signed-in"
            )
        }
        return (client, uri)
    }

    /// A new code each time: what another program's sign-in left in this browser is not enough. It is asked for by
    /// `prompt`, which stands in the browser's hands, and looked at when the browser comes back.
    @Sendable func beginNumberSignIn(request: Request, context: APIContext) async throws -> Response {
        let (client, uri) = try await client()
        let verifier = try makeVerifier()
        let query = HTML.query([
            ("client_id", client.id.description), ("redirect_uri", uri.description), ("response_type", "code"),
            ("scope", "openid offline_access"), ("prompt", "login"),
            ("state", try sessions.cookies.formToken(for: verifier.text)),
            ("code_challenge", try service.tokens.digest(of: verifier).base64URL), ("code_challenge_method", "S256"),
        ])
        let location = service.discovery.url(of: "/oauth2/authorize") + "?" + query
        var response = Response(status: .seeOther, headers: [.location: location])
        sessions.cookies.set(Self.verifier, verifier.text, for: Self.longestSignIn, in: &response)
        return response
    }

    @Sendable func finishNumberSignIn(request: Request, context: APIContext) async throws -> Response {
        // Or another site could sign this browser in as somebody else.
        guard let verifier = sessions.cookies.value(Self.verifier, of: request),
            request.query("state") == (try sessions.cookies.formToken(for: verifier)),
            let start = try start(of: verifier)
        else { throw ConsoleRefusal.otherPage }
        guard let signedIn = try await exchange(request.query("code") ?? "", verifier, request, context) else {
            return try signInPage(for: request, alert: \.notSignedIn)
        }
        var response = try Self.redirection(to: "/console")
        sessions.cookies.set(Self.verifier, nil, for: .zero, in: &response)
        let alert: KeyPath<Texts.Console, String>? =
            if signedIn.session.createdAt < start {
                \.proofTooOld
            } else if try await !sessions.open(signedIn, for: request, from: context.address, in: &response) {
                \.refused
            } else { nil }
        if let alert {
            _ = try await service.accounts.end(.one(signedIn.session.id), of: signedIn, from: context.address)
            return try signInPage(for: request, alert: alert)
        }
        context.logger.notice(
            "signed in to the console",
            metadata: [
                "account.id": "\(signedIn.account.id)", "number": "\(signedIn.account.phoneNumber?.masked ?? "-")",
            ]
        )
        return response
    }

    /// Who has proven a number; nil for any code but a new one of this sign-in.
    private func exchange(
        _ code: String,
        _ verifier: String,
        _ request: Request,
        _ context: APIContext
    ) async throws -> SignedIn? {
        let (client, uri) = try await client()
        do {
            let (tokens, _) = try await service.accounts.exchange(
                SecretToken(code),
                of: client,
                redirectURI: uri,
                verifier: SecretToken(verifier),
                userAgent: request.headers[.userAgent],
                from: context.address
            )
            return tokens.signedIn
        } catch PhoneFailure.notSignedIn {
            return nil
        }
    }
}
