import HTTPTypes

/// What others need to verify access tokens.
extension Operation {
    static let discovery: [Operation] = [getKeySet, getConfiguration]

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

    private static let getConfiguration = Operation(
        id: "getConfiguration",
        method: .get,
        path: DiscoveryRoutes.configurationPath,
        tag: .operation,
        summary: "What is to be known of the issuer of access tokens",
        description: """
            By this, libraries find the keys from the issuer alone (RFC 8414, OpenID Connect Discovery 1.0). There is no \
            `authorization_endpoint`: one signs in here by proof of a phone number, and is not sent elsewhere and back.
            """,
        answers: [
            DocumentedAnswer(
                status: 200,
                description: "Where things are.",
                schema: .object([
                    Schema.Property("issuer", address),
                    Schema.Property("jwks_uri", address),
                    Schema.Property("token_endpoint", address),
                    Schema.Property("token_endpoint_auth_methods_supported", .list(of: .constant("none"))),
                    Schema.Property("grant_types_supported", .list(of: .constant("refresh_token"))),
                    Schema.Property("response_types_supported", .list(of: .text())),
                    Schema.Property("subject_types_supported", .list(of: .constant("public"))),
                    Schema.Property("id_token_signing_alg_values_supported", .list(of: .constant("ES256"))),
                ]),
                headers: [.accessControlAllowOrigin]
            )
        ],
        problems: []
    )

    private static let key: Schema = .object([
        Schema.Property("kty", .constant("EC")),
        Schema.Property("crv", .constant("P-256")),
        Schema.Property("x", coordinate),
        Schema.Property("y", coordinate),
        Schema.Property("kid", .identifier("sig")),
        Schema.Property("use", .constant("sig")),
        Schema.Property("alg", .constant("ES256")),
    ])

    private static let address: Schema = .text(pattern: "^https?://[^?#]+$")

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
