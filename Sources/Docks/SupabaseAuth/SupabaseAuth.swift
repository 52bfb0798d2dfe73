import CoreEncodings
import HTTPTypes
package import PhoneAdministration
import PhoneDomain
package import PhoneHTTP
package import PhoneService
import PhoneSignup
package import PhoneStore

/// Supabase Auth's sign-in by phone: for apps written with Supabase's libraries, which change nothing but the URL
/// (https://github.com/supabase/auth/blob/master/openapi.yaml). Accounts and sessions are the service's own.
package struct SupabaseAuth: Dock {
    package static let records: [any Record.Type] = [PendingSignup.self]

    private let isEnabled: Bool
    private let apiKeys: [String]

    package init(_ reader: SettingsReader) {
        let supabase = reader.section("supabase") {
            "The phone part of Supabase Auth's API at /auth/v1, for apps written with Supabase's libraries. In a browser"
            "they need server.cors.origins too."
        }
        let setting = supabase("enabled")
        isEnabled = setting.flag(false) { "Whether the API at /auth/v1 is on." }
        let keys = supabase("api_keys")
        apiKeys = keys.list(
            [String](),
            example: "[sb_publishable_shop]",
            "texts of 8 to 1000 printable characters without spaces",
            { (8...1000).contains($0.utf8.count) && $0.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? $0 : nil }
        ) {
            "What apps send as their key: the second argument of createClient. No secret, as it is in every app; the key"
            "that an app has from Supabase will do. Required if enabled."
        }
        if isEnabled, apiKeys.isEmpty {
            reader.failMissing(keys.key, "\(setting.key) is true, which needs \(keys.key): a key that your apps send")
        }
    }

    package var findings: [Finding] {
        let keys = apiKeys.count == 1 ? "1 key" : "\(apiKeys.count) keys"
        return Finding.facts("supabase", isEnabled ? "/auth/v1, for apps with \(keys), which are no secrets" : nil)
    }

    package var docsLine: DocsLine? {
        guard isEnabled else { return nil }
        return DocsLine(
            title: "Apps written for Supabase Auth",
            path: "/auth/v1",
            text: "They change the URL of `createClient` and nothing else, and sign people in by phone."
        )
    }

    package func addRoutes(to router: APIRouter, over service: DockService) {
        guard isEnabled else { return }
        SupabaseAPI(service: service, tokens: AuthTokens(service)).addRoutes(to: router, for: apiKeys)
    }
}

/// The routes of Supabase Auth.
struct SupabaseAPI: Sendable {
    static let path = "/auth/v1"

    let service: DockService
    let tokens: AuthTokens

    var now: Timestamp { service.clock.now() }

    func addRoutes(to router: APIRouter, for apiKeys: [String]) {
        let open = router.group(Self.path)
        open.writeErrors(AuthError.write(at: service.clock))
        open.openToPages(
            sending: ["apikey", "X-Client-Info", AuthError.versionField.rawName],
            reading: [AuthError.versionField.rawName, AuthError.codeField.rawName]
        )
        open.get("health") { _, _ in
            Response(json: ["version": .string(PhoneAPI.version), "name": "PhoneProof", "description": "Supabase Auth"])
        }
        // Public, as at Supabase.
        open.get(".well-known/jwks.json", use: service.discovery.keySet)
        open.get(".well-known/openid-configuration", use: configuration)
        open.get(".well-known/oauth-authorization-server", use: configuration)
        let routes = router.group(Self.path).add(KnownAppsOnly(keys: apiKeys))
        routes.get("settings") { _, _ in Response(json: Self.settings) }
        addSignIn(to: routes)
        routes.post("token", use: token)
        routes.post("signup", use: refusePassword)
        for refusal in AuthError.refusals {
            routes.on(refusal.path, refusal.method) { _, _ in throw refusal.error }
        }
        addUser(to: router.group(Self.path).add(KnownAppsOnly(keys: apiKeys)).add(SignedInOnly(tokens: tokens)))
    }

    /// What Supabase publishes of a project without OAuth of its own.
    @Sendable private func configuration(request: Request, context: APIContext) -> Response {
        let base = tokens.issuer
        return Response(
            json: [
                "issuer": .string(base),
                "jwks_uri": .string(base + "/.well-known/jwks.json"),
                "token_endpoint": .string(base + "/token"),
                "userinfo_endpoint": .string(base + "/user"),
                "grant_types_supported": ["refresh_token"],
                "response_types_supported": [],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
                "claims_supported": .array(AuthTokens.claimNames.map { .string($0) }),
            ],
            headers: Discovery.headers
        )
    }

    private static let settings: JSON = [
        "external": .object(
            ["anonymous_users", "apple", "azure", "email", "facebook", "github", "google", "kakao"]
                .map { JSON.Member($0, false) } + [JSON.Member("phone", true)]
        ),
        "disable_signup": false,
        "mailer_autoconfirm": false,
        "phone_autoconfirm": false,
        "sms_provider": "phoneproof",
        "saml_enabled": false,
    ]
}

/// Lets apps pass that send one of the keys. The keys are public: they keep out what has been pointed here by mistake,
/// and one of them can be withdrawn.
private struct KnownAppsOnly: RequestFilter {
    let keys: [String]

    func check(_ request: Request, _ context: inout APIContext) throws {
        guard let key = HTTPField.Name("apikey").flatMap({ request.headers[$0] }) else { throw AuthError.noKey }
        // By bytes: to Swift other characters may be equal.
        guard keys.contains(where: { $0.utf8.elementsEqual(key.utf8) }) else { throw AuthError.invalidKey }
    }
}

/// Authenticates people by their access token.
private struct SignedInOnly: RequestFilter {
    let tokens: AuthTokens

    func check(_ request: Request, _ context: inout APIContext) async throws {
        guard let token = request.bearerToken else { throw AuthError.noToken }
        context.client = try await tokens.signedIn(by: token)
    }
}

extension APIContext {
    /// - Throws: ``AuthError`` if nothing has authenticated the request: then nothing is served.
    func signedInUser() throws -> SignedIn {
        guard let signedIn = client as? SignedIn else { throw AuthError.noToken }
        return signedIn
    }
}
