import CoreEncodings
import HTTPTypes
public import PhoneAccounts
public import PhoneDomain
import Texts

/// The public keys of the service, and where everything is that signs people in, for programs and for pages of any
/// site: what lets others verify tokens without asking the service about each.
public struct Discovery: Sendable {
    private static let keySetPath = "/.well-known/jwks.json"
    private static let configurationPath = "/.well-known/openid-configuration"
    private static let serverMetadataPath = "/.well-known/oauth-authorization-server"

    /// How long clients may cache the keys. A key is published longer than that before it signs.
    static let cacheControl = "public, max-age=\(SigningKeyPolicy.publicationMaxAge.components.seconds)"

    package let issuer: String
    private let keys: any SigningKeyPublisher
    private let clock: any WallClock

    /// - Parameter issuer: the `iss` of access tokens: the https URL under which others reach these paths.
    public init(issuer: String, keys: any SigningKeyPublisher, clock: any WallClock) {
        (self.issuer, self.keys, self.clock) = (issuer, keys, clock)
    }

    func addRoutes(to router: APIRouter) {
        router.get(Self.keySetPath, use: keySet)
        router.get(Self.configurationPath, use: configuration)
        router.get(Self.serverMetadataPath, use: configuration)
    }

    /// RFC 7517 section 5.
    @Sendable package func keySet(request: Request, context: APIContext) async throws -> Response {
        let published = try await available { try await keys.publishedKeys(at: clock.now()) }
        return Response(
            json: ["keys": .array(published.map(\.json))],
            contentType: "application/jwk-set+json",
            headers: Self.headers
        )
    }

    /// OpenID Connect Discovery 1.0 section 3 and RFC 8414 section 2: what libraries read to find everything by the
    /// issuer alone.
    @Sendable private func configuration(request: Request, context: APIContext) -> Response {
        let methods: JSON = ["client_secret_basic", "client_secret_post", "none"]
        return Response(
            json: [
                "issuer": .string(issuer),
                "jwks_uri": .string(url(of: Self.keySetPath)),
                "authorization_endpoint": .string(url(of: SignInRoutes.path)),
                "token_endpoint": .string(url(of: TokenEndpoint.path)),
                "token_endpoint_auth_methods_supported": methods,
                "device_authorization_endpoint": .string(url(of: TokenEndpoint.devicePath)),
                "userinfo_endpoint": .string(url(of: TokenEndpoint.userInfoPath)),
                "revocation_endpoint": .string(url(of: TokenEndpoint.revocationPath)),
                "revocation_endpoint_auth_methods_supported": methods,
                "end_session_endpoint": .string(url(of: SignInRoutes.logoutPath)),
                "grant_types_supported": .array(TokenEndpoint.grantTypes.map { .string($0) }),
                "response_types_supported": ["code"],
                "response_modes_supported": ["query"],
                "code_challenge_methods_supported": ["S256"],
                "authorization_response_iss_parameter_supported": true,
                "request_parameter_supported": false,
                "request_uri_parameter_supported": false,
                "display_values_supported": ["page", "popup"],
                "prompt_values_supported": ["none", "login", "consent", "select_account", "create"],
                "scopes_supported": .array(OpenIDScope.allCases.map { .string($0.rawValue) }),
                "claims_supported": [
                    "sub", "iss", "aud", "exp", "iat", "auth_time", "amr", "nonce", "sid",
                    "preferred_username", "phone_number", "phone_number_verified",
                ],
                "ui_locales_supported": .array(Languages.all.map { .string($0.language.description) }),
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["RS256", "ES256"],
                "claims_parameter_supported": false,
            ],
            headers: Self.headers
        )
    }

    package func url(of path: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + path
    }

    /// Public, and the same for everyone, so pages of any site may read them
    /// (https://fetch.spec.whatwg.org/#http-access-control-allow-origin).
    package static let headers: HeaderFields = [
        .cacheControl: cacheControl,
        .accessControlAllowOrigin: "*",
        .crossOriginResourcePolicy: "cross-origin",
    ]
}

extension PublishedKey {
    fileprivate var json: JSON {
        let kind: [JSON.Member] =
            switch algorithm {
            case .es256: [JSON.Member("kty", "EC"), JSON.Member("crv", "P-256")]
            case .rs256: [JSON.Member("kty", "RSA")]
            }
        return .object(
            kind + numbers.sorted { $0.key < $1.key }.map { JSON.Member($0.key, .string($0.value)) } + [
                JSON.Member("kid", .string(id.description)), JSON.Member("use", "sig"),
                JSON.Member("alg", .string(algorithm.rawValue)),
            ]
        )
    }
}
