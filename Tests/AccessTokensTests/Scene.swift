import AccessTokens
import Crypto
import PhoneDomain
import PhoneTestSupport

/// A service with signing keys, a clock that the test moves, and a private key that the test knows as well: so tokens can be
/// signed here, letter by letter, by no code of the service.
struct Scene: Sendable {
    /// 2026-01-01T00:00:00Z.
    static let start = Timestamp(seconds: 1_767_225_600)
    static let issuer = "https://phone.example"
    static let audience = "https://api.example"

    let store = MemoryStore()
    let clock = ManualClock(start)
    let identifiers = CountingIdentifiers()
    let sealer = PlainSecretSealer()
    let secret = P256.Signing.PrivateKey()
    let tokens: JWTAccessTokens

    init() {
        tokens = Self.tokens(store, sealer, identifiers, secret, clock)
    }

    /// Another instance over the same store.
    func instance(issuer: String = issuer, audience: String = audience) -> JWTAccessTokens {
        Self.tokens(store, sealer, identifiers, secret, clock, issuer: issuer, audience: audience)
    }

    private static func tokens(
        _ store: MemoryStore,
        _ sealer: any SecretSealer,
        _ identifiers: CountingIdentifiers,
        _ secret: P256.Signing.PrivateKey,
        _ clock: ManualClock,
        issuer: String = issuer,
        audience: String = audience
    ) -> JWTAccessTokens {
        JWTAccessTokens(
            issuer: issuer,
            audience: audience,
            store: store,
            sealer: sealer,
            maker: SigningKeyMaker(identifiers: identifiers, sealer: sealer) { _ in Array(secret.rawRepresentation) },
            clock: clock
        )
    }

    var now: Timestamp { clock.now() }

    /// A key of this private part.
    func material(_ secret: P256.Signing.PrivateKey = P256.Signing.PrivateKey()) throws -> SigningKeyMaterial {
        try SigningKeyMaker(identifiers: identifiers, sealer: sealer) { _ in Array(secret.rawRepresentation) }.make()
    }

    /// Rotates as another process does.
    @discardableResult
    func rotate(_ secret: P256.Signing.PrivateKey = P256.Signing.PrivateKey(), isAtOnce: Bool = false) async throws
        -> SigningKey.ID
    {
        let material = try material(secret)
        _ = try await store.rotate(
            RotateSigningKey(material: material, policy: .standard, isAtOnce: isAtOnce, now: now)
        )
        return material.id
    }

    /// The token that the service is asked for.
    func token(validFor seconds: Int = 900) -> AccessToken {
        AccessToken(
            id: AccessToken.ID(bits: 1, 1),
            accountID: Account.ID(bits: 2, 2),
            sessionID: Session.ID(bits: 3, 3),
            isPhoneNumberVerified: true,
            authenticatedAt: Self.start - .seconds(3600),
            issuedAt: now,
            expiresAt: now + .seconds(seconds)
        )
    }
}
