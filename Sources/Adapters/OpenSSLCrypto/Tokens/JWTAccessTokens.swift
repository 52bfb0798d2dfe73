package import CoreEncodings
public import PhoneAccounts
public import PhoneDomain
public import PhoneSignup
import Synchronization

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
        guard let members = try await members(of: text, .accessToken, at: now) else { return nil }
        return claims.token(members, at: now)
    }

    public func sign(_ token: ClientToken) async throws -> String {
        try await sign(claims.claims(of: token), .accessToken, by: algorithm)
    }

    public func clientToken(in text: String, at now: Timestamp) async throws -> ClientToken? {
        guard let members = try await members(of: text, .accessToken, at: now) else { return nil }
        return claims.clientToken(members, at: now)
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
        try await members(of: text, .idToken, at: clock.now()).flatMap(claims.idToken)
    }

    /// The claims of a token of this type with a valid signature.
    private func members(
        of text: String,
        _ type: JSONWebToken.TokenType,
        at now: Timestamp
    ) async throws -> [String: JSON]? {
        if let known = verified[text], known.type == type {
            let key = try await keys.key(known.keyID, at: now)
            return key == nil ? nil : known.claims
        }
        guard let token = JSONWebToken(text), let name = AccessTokenClaims.keyID(in: token, type),
            let key = try await keys.key(name.id, at: now),
            key.key.algorithm == name.algorithm,
            key.publicKey.verifies(token.signature, of: token.signingInput),
            let claims = JSONWebToken.members(of: token.payload)
        else { return nil }
        verified[text] = VerifiedTokens.Token(type: type, keyID: name.id, claims: claims)
        return claims
    }

    public func publishedKeys(at now: Timestamp) async throws -> [PublishedKey] {
        try await keys.published(at: now)
    }
}

/// Tokens whose signatures were valid: a program sends one with each of many requests, and to read and verify it takes
/// a third of what a request for a code does. Forged tokens are never among them, and whether a key still counts, and
/// whether a token has expired, is asked every time.
private final class VerifiedTokens: Sendable {
    struct Token {
        let type: JSONWebToken.TokenType
        let keyID: SigningKey.ID
        let claims: [String: JSON]
    }

    /// Some 2 MB.
    private static let capacity = 1000
    private let tokens = Mutex<[String: Token]>([:])

    subscript(text: String) -> Token? {
        get { tokens.withLock { $0[text] } }
        set {
            tokens.withLock { tokens in
                if tokens.count >= Self.capacity { tokens.removeAll(keepingCapacity: true) }
                tokens[text] = newValue
            }
        }
    }
}

/// Tokens in somebody else's words, by the same keys (docks).
extension JWTAccessTokens {
    /// Their issuer must be another than that of ID tokens, which have the same type.
    package func sign(_ claims: JSON) async throws -> String { try await sign(claims, .idToken, by: .es256) }

    /// The claims of a token with a valid signature, whatever they say; nil for everything else.
    package func claims(in text: String) async throws -> JSON? {
        try await members(of: text, .idToken, at: clock.now()).map { members in
            .object(members.map { JSON.Member($0.key, $0.value) })
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
