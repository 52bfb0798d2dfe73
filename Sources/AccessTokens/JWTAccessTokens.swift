public import PhoneDomain

/// Access tokens as JSON web tokens by ES256, in the form of RFC 9068 and verified as RFC 8725 wants it.
///
/// What is not refused, since nobody gains by it: a signature has a twin, which anybody can make of it (*s* and *n* − *s*,
/// as in every ECDSA), so that one token has two texts. A token is known by its `jti`, never by its text.
public struct JWTAccessTokens: AccessTokenAuthority, SigningKeyPublisher {
    /// How far the clocks of two instances may be apart.
    public static let clockTolerance: Duration = .seconds(30)

    private let issuer: String
    private let audience: String
    private let keys: SigningKeyCache
    private let clock: any WallClock

    /// Tokens of this issuer for this audience.
    ///
    /// - Parameters:
    ///   - issuer: who signs them (`iss`): an https address.
    ///   - audience: whom they are for (`aud`, and `client_id`).
    ///   - store: where the signing keys are.
    ///   - sealer: opens their private parts.
    ///   - maker: makes the first of them.
    ///   - clock: says which of them signs.
    public init(
        issuer: String,
        audience: String,
        store: any SigningKeyStore,
        sealer: any SecretSealer,
        maker: SigningKeyMaker,
        clock: any WallClock
    ) {
        self.issuer = issuer
        self.audience = audience
        self.clock = clock
        keys = SigningKeyCache(store: store, sealer: sealer, maker: maker)
    }

    /// Reads the keys, makes the first one if there is none, and sees whether the one that signs can be opened.
    ///
    /// - Throws: ``AccessTokensError``, or what the ports throw.
    public func prepare() async throws {
        try await refreshKeys()
        try await keys.signing(at: clock.now()).requirePrivateKey()
    }

    /// Reads the keys anew: other instances or an operator may have made one.
    ///
    /// - Throws: ``AccessTokensError``, or what the ports throw; the keys are then those of before.
    public func refreshKeys() async throws {
        try await keys.refresh(at: clock.now())
    }

    public func sign(_ token: AccessToken) async throws -> String {
        let claims = AccessTokenClaims(token, issuer: issuer, audience: audience)
        return try await keys.signing(at: clock.now()).sign(claims)
    }

    public func token(in text: String, at now: Timestamp) async throws -> AccessToken? {
        guard let token = CompactToken(text), let header = AccessTokenHeader(token.header),
            let key = try await keys.key(header.keyID, at: now, tolerance: Self.clockTolerance),
            let claims = await key.claims(of: text)
        else { return nil }
        return claims.token(issuer: issuer, audience: audience, at: now, tolerance: Self.clockTolerance)
    }

    public func publishedKeys(at now: Timestamp) async throws -> [PublishedKey] {
        try await keys.published(at: now)
    }
}
