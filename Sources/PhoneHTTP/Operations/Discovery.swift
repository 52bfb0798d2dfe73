import HTTPTypes
import Hummingbird
public import PhoneDomain
import TextEncodings

/// The public keys of the service, and where they are, for programs and for pages of any site: what lets others verify
/// access tokens without asking the service about each.
public struct Discovery: Sendable {
    private static let keySetPath = "/.well-known/jwks.json"
    private static let configurationPath = "/.well-known/openid-configuration"
    private static let serverMetadataPath = "/.well-known/oauth-authorization-server"

    /// How long clients may cache the keys. A key is published longer than that before it signs.
    static let cacheControl = "public, max-age=\(SigningKeyPolicy.publicationMaxAge.components.seconds)"

    private let issuer: String
    private let keys: any SigningKeyPublisher
    private let clock: any WallClock

    /// - Parameter issuer: the `iss` of access tokens: the https URL under which others reach these paths.
    public init(issuer: String, keys: any SigningKeyPublisher, clock: any WallClock) {
        self.issuer = issuer
        self.keys = keys
        self.clock = clock
    }

    func addRoutes(to router: Router<APIContext>) {
        router.get(RouterPath(Self.keySetPath), use: keySet)
        router.get(RouterPath(Self.configurationPath), use: configuration)
        router.get(RouterPath(Self.serverMetadataPath), use: configuration)
    }

    /// RFC 7517 section 5.
    @Sendable private func keySet(request: Request, context: APIContext) async throws -> Response {
        let published = try await available { try await keys.publishedKeys(at: clock.now()) }
        return Response(
            json: ["keys": .array(published.map(\.json))],
            contentType: "application/jwk-set+json",
            headers: Self.headers
        )
    }

    /// OpenID Connect Discovery 1.0 section 3 and RFC 8414 section 2: what libraries read to find the keys by the
    /// issuer alone.
    ///
    /// There is no `authorization_endpoint`, though OpenID Connect requires one: people sign in by verifying a number,
    /// without redirects and without ID tokens. So the response type is `none`: one is required, and this is the one
    /// that returns neither code nor token (OAuth 2.0 Multiple Response Types, section 4). The algorithm given for ID
    /// tokens is that of access tokens, which have no member of their own.
    @Sendable private func configuration(request: Request, context: APIContext) -> Response {
        Response(
            json: [
                "issuer": .string(issuer),
                "jwks_uri": .string(url(of: Self.keySetPath)),
                "token_endpoint": .string(url(of: TokenRoutes.path)),
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint": .string(url(of: TokenRoutes.revocationPath)),
                "revocation_endpoint_auth_methods_supported": ["none"],
                "grant_types_supported": ["refresh_token"],
                "response_types_supported": ["none"],
                "scopes_supported": [.string(AccessToken.scope)],
                "subject_types_supported": ["public"],
                "id_token_signing_alg_values_supported": ["ES256"],
            ],
            headers: Self.headers
        )
    }

    private func url(of path: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + path
    }

    /// Public, and the same for everyone, so pages of any site may read them
    /// (https://fetch.spec.whatwg.org/#http-access-control-allow-origin).
    private static let headers: HTTPFields = [
        .cacheControl: cacheControl,
        .accessControlAllowOrigin: "*",
        .crossOriginResourcePolicy: "cross-origin",
    ]
}

extension PublishedKey {
    /// The public members of a key on P-256 (RFC 7518 section 6.2.1).
    fileprivate var json: JSON {
        [
            "kty": "EC",
            "crv": "P-256",
            "x": .string(x),
            "y": .string(y),
            "kid": .string(id.description),
            "use": "sig",
            "alg": "ES256",
        ]
    }
}
