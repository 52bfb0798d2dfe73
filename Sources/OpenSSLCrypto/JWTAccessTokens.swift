public import PhoneDomain
import Synchronization
package import TextEncodings

/// Access tokens as JSON Web Tokens in the form of RFC 9068, and ID tokens.
///
/// A signature of ES256 has a twin, which anybody can compute (*s* and *n* − *s*, as in every ECDSA), so that one token
/// has two texts. Both are accepted: a token is identified by its `jti`, never by its text.
public struct JWTAccessTokens: AccessTokenAuthority, SigningKeyPublisher {
    /// How far the clocks of two instances may differ.
    public static let clockTolerance: Duration = .seconds(30)

    private let claims: AccessTokenClaims
    private let algorithm: SigningAlgorithm
    private let keys: SigningKeyCache
    private let clock: any WallClock
    private let verified = VerifiedTokens()

    /// - Parameters:
    ///   - issuer: `iss`: an https URL.
    ///   - audience: `aud` and `client_id`. Neither may contain control characters.
    ///   - algorithm: of access tokens. ID tokens have their client's.
    ///   - random: for the first key, if there is none.
    public init(
        issuer: String,
        audience: String,
        algorithm: SigningAlgorithm = .es256,
        store: any SigningKeyStore,
        sealer: any SecretSealer,
        random: any RandomBytes = OpenSSLRandom(),
        clock: any WallClock
    ) {
        claims = AccessTokenClaims(issuer: issuer, audience: audience)
        keys = SigningKeyCache(store: store, sealer: sealer, random: random)
        (self.algorithm, self.clock) = (algorithm, clock)
    }

    /// Reads the keys, makes the first ones if there are none, and checks that the one that signs can be opened.
    public func prepare() async throws {
        try await refreshKeys()
        _ = try await keys.signing(at: clock.now(), by: algorithm).privateKey.get()
    }

    /// Reads the keys again: other instances or an operator may have made one.
    ///
    /// - Throws: `AccessTokensError`, or what the ports throw; the keys are unchanged then.
    public func refreshKeys() async throws { try await keys.refresh(at: clock.now()) }

    public func sign(_ token: AccessToken) async throws -> String {
        try await sign(claims.claims(of: token), .accessToken, by: algorithm)
    }

    public func token(in text: String, at now: Timestamp) async throws -> AccessToken? {
        guard let payload = try await payload(of: text, .accessToken, at: now) else { return nil }
        return claims.token(payload, at: now, tolerance: Self.clockTolerance)
    }

    public func sign(_ token: ClientToken) async throws -> String {
        try await sign(claims.claims(of: token), .accessToken, by: algorithm)
    }

    public func clientToken(in text: String, at now: Timestamp) async throws -> ClientToken? {
        guard let payload = try await payload(of: text, .accessToken, at: now) else { return nil }
        return claims.clientToken(payload, at: now, tolerance: Self.clockTolerance)
    }

    public func sign(_ token: IDToken, by algorithm: SigningAlgorithm) async throws -> String {
        try await sign(claims.claims(of: token), .idToken, by: algorithm)
    }

    private func sign(
        _ claims: JSON,
        _ type: JSONWebToken.TokenType,
        by algorithm: SigningAlgorithm
    ) async throws -> String {
        let key = try await keys.signing(at: clock.now(), by: algorithm)
        let privateKey = try key.privateKey.get()
        let header = AccessTokenClaims.header(key.key, type)
        return try await algorithm.offEventLoop {
            try JSONWebToken.sign(header: header, claims: claims, by: privateKey)
        }
    }

    public func idToken(in text: String) async throws -> IDToken? {
        try await payload(of: text, .idToken, at: clock.now()).flatMap(claims.idToken)
    }

    /// The claims of a token of this type with a valid signature.
    private func payload(of text: String, _ type: JSONWebToken.TokenType, at now: Timestamp) async throws -> [UInt8]? {
        guard let token = JSONWebToken(text), let name = AccessTokenClaims.keyID(in: token, type),
            let key = try await keys.key(name.id, at: now, tolerance: Self.clockTolerance),
            key.key.algorithm == name.algorithm
        else { return nil }
        if verified.contains(text, by: key.key.id) { return token.payload }
        guard key.publicKey.verifies(token.signature, of: token.signingInput) else { return nil }
        verified.insert(text, by: key.key.id)
        return token.payload
    }

    public func publishedKeys(at now: Timestamp) async throws -> [PublishedKey] {
        try await keys.published(at: now)
    }
}

/// The texts of the tokens whose signatures were valid: a program sends one token with each of many requests, and to
/// verify it is a sixth of what a request for a code costs. Forged tokens are never among them, and whether a key still
/// counts, and whether a token has expired, is asked every time.
private final class VerifiedTokens: Sendable {
    /// Some 700 KB.
    private static let capacity = 1000
    private let texts = Mutex<[String: SigningKey.ID]>([:])

    func contains(_ text: String, by key: SigningKey.ID) -> Bool { texts.withLock { $0[text] == key } }

    func insert(_ text: String, by key: SigningKey.ID) {
        texts.withLock { texts in
            if texts.count >= Self.capacity { texts.removeAll(keepingCapacity: true) }
            texts[text] = key
        }
    }
}

/// Tokens in somebody else's words, by the same keys (`PhoneDock`).
extension JWTAccessTokens {
    /// Their issuer must be another than that of ID tokens, which have the same type.
    package func sign(_ claims: JSON) async throws -> String { try await sign(claims, .idToken, by: .es256) }

    /// The claims of a token with a valid signature, whatever they say; nil for everything else.
    package func claims(in text: String) async throws -> JSON? {
        try await payload(of: text, .idToken, at: clock.now()).flatMap { payload in
            payload.withUnsafeBytes { JSON(parsing: $0) }
        }
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
