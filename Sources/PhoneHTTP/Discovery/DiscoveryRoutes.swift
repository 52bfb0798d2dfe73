import HTTPTypes
import Hummingbird
import PhoneDomain

/// The public keys of the service, and where they are. Both are for everybody: programs, and pages of any site.
struct DiscoveryRoutes: Sendable {
    static let keySetPath = "/.well-known/jwks.json"
    static let configurationPath = "/.well-known/openid-configuration"
    static let serverMetadataPath = "/.well-known/oauth-authorization-server"

    /// How long whoever verifies tokens may go by what was answered. A key is published longer than that before it signs.
    static let cacheControl = "public, max-age=\(SigningKeyPolicy.publicationMaxAge.components.seconds)"

    let discovery: Discovery
    let clock: any WallClock

    func addRoutes(to router: Router<APIContext>) {
        router.get(RouterPath(Self.keySetPath), use: keySet)
        router.get(RouterPath(Self.configurationPath), use: configuration)
        router.get(RouterPath(Self.serverMetadataPath), use: configuration)
    }

    /// RFC 7517 section 5.
    @Sendable private func keySet(request: Request, context: APIContext) async throws -> Response {
        let keys: [PublishedKey]
        do {
            keys = try await discovery.keys.publishedKeys(at: clock.now())
        } catch {
            throw PhoneFailure.unavailable(cause: String(describing: error))
        }
        return Response(
            json: ["keys": .array(keys.map(\.json))],
            contentType: "application/jwk-set+json",
            headers: Self.headers
        )
    }

    /// OpenID Connect Discovery 1.0 section 3 and RFC 8414 section 2: what libraries look for to find the keys by the
    /// issuer alone.
    ///
    /// It says only what is so. There is no `authorization_endpoint`, though OpenID Connect wants one: nobody is sent here
    /// to sign in and back again; one signs in by proof of a number, and has no ID token. So the response type is `none`:
    /// there has to be one, and this is the one that brings neither code nor token (OAuth 2.0 Multiple Response Types,
    /// section 4). The algorithm that is given as that of ID tokens is that of access tokens, for which there is no member.
    @Sendable private func configuration(request: Request, context: APIContext) -> Response {
        Response(
            json: [
                "issuer": .string(discovery.issuer),
                "jwks_uri": .string(discovery.address(of: Self.keySetPath)),
                "token_endpoint": .string(discovery.address(of: TokenRoutes.path)),
                "token_endpoint_auth_methods_supported": ["none"],
                "revocation_endpoint": .string(discovery.address(of: TokenRoutes.revocationPath)),
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

    /// Any site's page may read them: they are alike for everybody, and no secret
    /// (https://fetch.spec.whatwg.org/#http-access-control-allow-origin).
    private static let headers: HTTPFields = [
        .cacheControl: cacheControl,
        .accessControlAllowOrigin: "*",
        .crossOriginResourcePolicy: "cross-origin",
    ]
}

extension PublishedKey {
    /// A JSON Web Key of a point on P-256 (RFC 7518 section 6.2.1): its public members and no others.
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
