public import PhoneDomain

/// Access tokens as JSON Web Tokens by ES256, in the form of RFC 9068.
///
/// A signature has a twin, which anybody can compute (*s* and *n* − *s*, as in every ECDSA), so that one token has two
/// texts. Both are accepted: a token is identified by its `jti`, never by its text.
public struct JWTAccessTokens: AccessTokenAuthority, SigningKeyPublisher {
    /// How far the clocks of two instances may differ.
    public static let clockTolerance: Duration = .seconds(30)

    private let claims: AccessTokenClaims
    private let keys: SigningKeyCache
    private let clock: any WallClock

    /// - Parameters:
    ///   - issuer: `iss`: an https URL.
    ///   - audience: `aud` and `client_id`. Neither may contain control characters.
    ///   - random: for the first key, if there is none.
    public init(
        issuer: String,
        audience: String,
        store: any SigningKeyStore,
        sealer: any SecretSealer,
        random: any RandomBytes = OpenSSLRandom(),
        clock: any WallClock
    ) {
        claims = AccessTokenClaims(issuer: issuer, audience: audience)
        keys = SigningKeyCache(store: store, sealer: sealer, random: random)
        self.clock = clock
    }

    /// Reads the keys, makes the first one if there is none, and checks that the one that signs can be opened.
    public func prepare() async throws {
        try await refreshKeys()
        _ = try await keys.signing(at: clock.now()).privateKey.get()
    }

    /// Reads the keys again: other instances or an operator may have made one.
    ///
    /// - Throws: `AccessTokensError`, or what the ports throw; the keys are unchanged then.
    public func refreshKeys() async throws { try await keys.refresh(at: clock.now()) }

    public func sign(_ token: AccessToken) async throws -> String {
        let key = try await keys.signing(at: clock.now())
        return try JSONWebToken.sign(
            header: AccessTokenClaims.header(key.key.id, .accessToken),
            claims: claims.claims(of: token),
            by: key.privateKey.get()
        )
    }

    public func token(in text: String, at now: Timestamp) async throws -> AccessToken? {
        guard let payload = try await payload(of: text, .accessToken, at: now) else { return nil }
        return claims.token(payload, at: now, tolerance: Self.clockTolerance)
    }

    public func sign(_ token: IDToken) async throws -> String {
        let key = try await keys.signing(at: clock.now())
        return try JSONWebToken.sign(
            header: AccessTokenClaims.header(key.key.id, .idToken),
            claims: claims.claims(of: token),
            by: key.privateKey.get()
        )
    }

    public func idToken(in text: String) async throws -> IDToken? {
        try await payload(of: text, .idToken, at: clock.now()).flatMap(claims.idToken)
    }

    /// The claims of a token of this type with a valid signature.
    private func payload(of text: String, _ type: JSONWebToken.TokenType, at now: Timestamp) async throws -> [UInt8]? {
        guard let token = JSONWebToken(text), let keyID = AccessTokenClaims.keyID(in: token.header, type),
            let key = try await keys.key(keyID, at: now, tolerance: Self.clockTolerance),
            key.publicKey.verifies(token.signature, of: token.signingInput)
        else { return nil }
        return token.payload
    }

    public func publishedKeys(at now: Timestamp) async throws -> [PublishedKey] {
        try await keys.published(at: now)
    }
}

/// Access tokens cannot be signed or verified. It never contains a key or a token.
enum AccessTokensError: Error, CustomStringConvertible {
    case brokenRandomSource
    case malformedKey(SigningKey.ID)
    case sealedKey(SigningKey.ID, reason: String)
    case noKey

    var description: String {
        let replacement =
            "another signing key with `phoneproof keys rotate-signing --at-once`, which invalidates all access tokens"
        return switch self {
        case .brokenRandomSource: "the random source failed; no signing key was created"
        case .malformedKey(let id): "the signing key \(id) is malformed; create \(replacement)"
        case .sealedKey(let id, let reason):
            "the signing key \(id) cannot be decrypted: \(reason); restore the previous key file (keys.file), or create "
                + replacement
        case .noKey: "there is no key to sign access tokens with"
        }
    }
}
