import HTTPTypes
import PhoneDomain

/// What others need to verify access tokens.
extension Operation {
    static let discovery: [Operation] = [
        getKeySet,
        configuration(id: "getConfiguration", path: DiscoveryRoutes.configurationPath),
        configuration(id: "getServerMetadata", path: DiscoveryRoutes.serverMetadataPath),
    ]

    private static let getKeySet = Operation(
        id: "getKeySet",
        method: .get,
        path: DiscoveryRoutes.keySetPath,
        tag: .operation,
        summary: "The keys that access tokens are signed with",
        description: """
            A JSON Web Key Set (RFC 7517). A token names its key by `kid`; one whose key is not here is worthless. A new key \
            is here for longer than the answer may be cached before it signs, and an old one until its last token is over. \
            Look here again for a `kid` that you do not know, but not for each token that bears one.
            """,
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "The keys.",
                schema: .object([Schema.Property("keys", .list(of: key))]),
                mediaTypes: ["application/jwk-set+json"],
                examples: [("one", ["keys": [exampleKey]])],
                headers: [.accessControlAllowOrigin]
            )
        ],
        problems: [Examples.unavailable]
    )

    private static func configuration(id: String, path: String) -> Operation {
        Operation(
            id: id,
            method: .get,
            path: path,
            tag: .operation,
            summary: "What is to be known of the issuer of access tokens",
            description: """
                By this, libraries find the keys from the issuer alone: those for OpenID Connect (Discovery 1.0) look at \
                `/.well-known/openid-configuration`, those for OAuth (RFC 8414) at `/.well-known/oauth-authorization-server`. \
                There is no `authorization_endpoint`: one signs in here by proof of a phone number, and is not sent elsewhere \
                and back.
                """,
            answers: [
                DocumentedAnswer(
                    status: 200,
                    description: "Where things are.",
                    schema: .named(.serverMetadata),
                    headers: [.accessControlAllowOrigin]
                )
            ],
            problems: []
        )
    }

    private static let key: Schema = .object([
        Schema.Property("kty", .constant("EC")),
        Schema.Property("crv", .constant("P-256")),
        Schema.Property("x", coordinate),
        Schema.Property("y", coordinate),
        Schema.Property("kid", .identifier("sig")),
        Schema.Property("use", .constant("sig")),
        Schema.Property("alg", .constant("ES256")),
    ])

    private static let coordinate: Schema = .text(pattern: "^[A-Za-z0-9_-]{43}$")

    /// The point of RFC 7515 appendix A.3.
    private static let exampleKey: JSON = [
        "kty": "EC",
        "crv": "P-256",
        "x": "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
        "y": "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
        "kid": "sig_0123456789abcdef0123456789abcdef",
        "use": "sig",
        "alg": "ES256",
    ]
}

extension Schema {
    /// What is to be known of the issuer.
    static let serverMetadata = object([
        Property("issuer", address),
        Property("jwks_uri", address),
        Property("token_endpoint", address),
        Property("token_endpoint_auth_methods_supported", list(of: constant("none"))),
        Property("revocation_endpoint", address),
        Property("revocation_endpoint_auth_methods_supported", list(of: constant("none"))),
        Property("grant_types_supported", list(of: constant("refresh_token"))),
        Property("response_types_supported", list(of: constant("none"))),
        Property("scopes_supported", list(of: constant(.string(AccessToken.scope)))),
        Property("subject_types_supported", list(of: constant("public"))),
        Property("id_token_signing_alg_values_supported", list(of: constant("ES256"))),
    ])

    private static let address: Schema = .text(pattern: "^https?://[^?#]+$")
}
