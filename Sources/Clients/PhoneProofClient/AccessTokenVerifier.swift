internal import CoreEncodings
public import PhoneSignup

/// Checks the access tokens and ID tokens of a PhoneProof service on another server, by the keys that the service
/// publishes and without a request for each token.
///
/// The keys are cached for ten minutes, as the service allows, and read again before. A token by an unknown key makes
/// it read them at once, since keys are rotated, but not more than once in ten seconds, whatever is sent to it.
public actor AccessTokenVerifier {
    /// Whether the signature of these bytes is this key's. With the package's trait `AccessTokens` it need not be
    /// given.
    public typealias SignatureCheck =
        @Sendable (_ key: JSONWebKey, _ signature: [UInt8], _ signed: [UInt8]) -> Bool

    private let client: PhoneProofClient
    private let issuer, audience: String
    private let leeway: Duration
    private let isSigned: SignatureCheck

    private var keys: [String: JSONWebKey] = [:]
    private var keysReadAt, askedAt: Timestamp?
    private var failure: PhoneProofError?
    private var reading: Task<Void, Never>?

    private static let longestUse: Duration = .seconds(600)
    private static let use: Duration = .seconds(300)
    private static let pause: Duration = .seconds(10)

    /// - Parameters:
    ///   - client: of the service.
    ///   - issuer: its setting `tokens.issuer`.
    ///   - audience: its setting `tokens.audience`, which is the issuer where it is not set.
    ///   - leeway: how far its clock and ours may differ.
    public init(
        _ client: PhoneProofClient,
        issuer: String,
        audience: String,
        leeway: Duration = .seconds(30),
        isSigned: @escaping SignatureCheck
    ) {
        (self.client, self.issuer, self.audience) = (client, issuer, audience)
        (self.leeway, self.isSigned) = (leeway, isSigned)
    }

    /// What the token says; nil unless it is a person's own, valid now, and meant for us.
    ///
    /// - Throws: if there are no keys and the service cannot be asked for them.
    public nonisolated func verified(_ token: String) async throws(PhoneProofError) -> VerifiedAccessToken? {
        guard let claims = try await claims(of: token, "at+jwt") else { return nil }
        return VerifiedAccessToken(claims, issuer, audience, at: client.now(), leeway)
    }

    /// What the ID token says by which a person signs in to a client of OpenID Connect (Core 1.0 section 3.1.3.7); nil
    /// unless it is for this client, by this request, and valid now.
    ///
    /// - Parameters:
    ///   - clientID: yours, as `phoneproof clients create` printed it.
    ///   - nonce: that of your authorization request; nil if it had none.
    ///   - maxAge: how old the proof of the number may be, if your request had `max_age`, or `prompt=login`: then the
    ///     time since you sent the browser. Both stand in the browser's hands.
    /// - Throws: as ``verified(_:)``.
    public nonisolated func verified(
        idToken: String,
        clientID: String,
        nonce: String?,
        maxAge: Duration? = nil
    ) async throws(PhoneProofError) -> VerifiedIDToken? {
        guard let claims = try await claims(of: idToken, "JWT"), claims["nonce"] == nonce.map(JSON.string) else {
            return nil
        }
        let now = client.now()
        guard let token = VerifiedIDToken(claims, issuer, clientID, at: now, leeway),
            maxAge.map({ now <= token.authenticatedAt + $0 + leeway }) ?? true
        else { return nil }
        return token
    }

    /// The claims of a token of this type; nil unless its signature is valid.
    private nonisolated func claims(of token: String, _ type: String) async throws(PhoneProofError) -> [String: JSON]? {
        guard let token = JSONWebToken(token), token.isOfType(type), let id = token.header["kid"]?.string,
            token.header["crit"] == nil, let key = try await key(id), token.header["alg"]?.string == key.algorithm,
            isSigned(key, token.signature, token.signingInput)
        else { return nil }
        return JSONWebToken.members(of: token.payload)
    }

    private func key(_ id: String) async throws(PhoneProofError) -> JSONWebKey? {
        let age = keysReadAt.map { client.now() - $0 }
        if let age, age < Self.longestUse, let key = keys[id] {
            // Nobody waits for that.
            if age >= Self.use { _ = read() }
            return key
        }
        if let reading = read() { await reading.value }
        guard let keysReadAt, client.now() - keysReadAt < Self.longestUse else {
            throw failure ?? .unreachable(reason: "no keys")
        }
        return keys[id]
    }

    /// Nil if they were asked for a moment ago.
    private func read() -> Task<Void, Never>? {
        let now = client.now()
        // A clock that was set back must not stop it.
        if let askedAt, reading == nil, (.zero..<Self.pause).contains(now - askedAt) { return nil }
        let task = reading ?? Task { await self.readKeys(at: now) }
        (reading, askedAt) = (task, now)
        return task
    }

    private func readKeys(at now: Timestamp) async {
        do throws(PhoneProofError) {
            let body = try await client.call("GET", "/.well-known/jwks.json", repetition: .always)
            guard let published = body["keys"]?.array else { throw .notUnderstood(status: 200) }
            let known = published.compactMap { key in
                key["kid"]?.string.flatMap { id in JSONWebKey(key).map { (id, $0) } }
            }
            keys = Dictionary(known) { first, _ in first }
            (keysReadAt, failure) = (now, nil)
        } catch {
            failure = error
        }
        reading = nil
    }
}

/// What a valid access token says.
public struct VerifiedAccessToken: Hashable, Sendable {
    public let accountID: String
    public let sessionID: String
    /// Whether the account still has the number that was proved; false once another person has it.
    public let isPhoneNumberVerified: Bool
    /// When the person proved the number.
    public let authenticatedAt: Timestamp
    public let expiresAt: Timestamp

    /// - Parameter claims: with a valid signature. Tokens of clients have another audience, or no session.
    fileprivate init?(
        _ claims: [String: JSON],
        _ issuer: String,
        _ audience: String,
        at now: Timestamp,
        _ leeway: Duration
    ) {
        let audiences = claims["aud"]?.array ?? claims["aud"].map { [$0] } ?? []
        guard claims["iss"]?.string == issuer, audiences.contains(.string(audience)),
            claims["client_id"]?.string == audience, let accountID = claims["sub"]?.string,
            let sessionID = claims["sid"]?.string, let isVerified = claims["phone_number_verified"]?.bool,
            let authenticatedAt = claims.time("auth_time"), let expiresAt = claims.expiry(at: now, leeway)
        else { return nil }
        (self.accountID, self.sessionID, isPhoneNumberVerified) = (accountID, sessionID, isVerified)
        (self.authenticatedAt, self.expiresAt) = (authenticatedAt, expiresAt)
    }
}

/// What a valid ID token says.
public struct VerifiedIDToken: Hashable, Sendable {
    public let accountID: String
    /// Your client's own session, which ends when the person signs out of it.
    public let sessionID: String
    /// When the person proved the number.
    public let authenticatedAt: Timestamp
    public let expiresAt: Timestamp

    /// - Parameter claims: with a valid signature.
    fileprivate init?(
        _ claims: [String: JSON],
        _ issuer: String,
        _ clientID: String,
        at now: Timestamp,
        _ leeway: Duration
    ) {
        // The service names one audience; a token for others too would be none of its own.
        guard claims["iss"]?.string == issuer, claims["aud"]?.string == clientID,
            let accountID = claims["sub"]?.string, let sessionID = claims["sid"]?.string,
            let authenticatedAt = claims.time("auth_time"), let expiresAt = claims.expiry(at: now, leeway)
        else { return nil }
        (self.accountID, self.sessionID) = (accountID, sessionID)
        (self.authenticatedAt, self.expiresAt) = (authenticatedAt, expiresAt)
    }
}

extension [String: JSON] {
    fileprivate func time(_ name: String) -> Timestamp? { self[name]?.numericDate.map(Timestamp.init(seconds:)) }

    /// When a token with these claims expires; nil unless it is valid now.
    fileprivate func expiry(at now: Timestamp, _ leeway: Duration) -> Timestamp? {
        guard let issuedAt = time("iat"), let expiresAt = time("exp"), issuedAt <= now + leeway,
            now < expiresAt + leeway
        else { return nil }
        return expiresAt
    }
}

/// A public key of the service (RFC 7517), of an algorithm by which it signs.
public enum JSONWebKey: Hashable, Sendable {
    /// The coordinates *x* and *y* of a point on P-256, 32 bytes each.
    case es256([UInt8])
    /// The big-endian numbers of an RSA key.
    case rs256(modulus: [UInt8], exponent: [UInt8])

    /// Nil for a key of another kind.
    init?(_ body: JSON) {
        func number(_ name: String) -> [UInt8]? { body[name]?.string.flatMap { [UInt8](.base64URL, $0.utf8) } }
        switch body["alg"]?.string {
        case "ES256":
            guard body["crv"]?.string == "P-256", let x = number("x"), let y = number("y"), x.count == 32, y.count == 32
            else { return nil }
            self = .es256(x + y)
        case "RS256":
            guard let modulus = number("n"), let exponent = number("e") else { return nil }
            self = .rs256(modulus: modulus, exponent: exponent)
        default: return nil
        }
    }

    var algorithm: String {
        switch self {
        case .es256: "ES256"
        case .rs256: "RS256"
        }
    }
}
