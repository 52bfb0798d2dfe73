public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

extension SecretToken {
    /// The ID in a text of this prefix, the ID's digits, an underscore and random bits; nil for any other.
    func identifier<Subject>(behind prefix: String) -> Identifier<Subject>? {
        guard text.utf8.starts(with: prefix.utf8) else { return nil }
        let digits = text.utf8.dropFirst(prefix.utf8.count).prefix { $0 != UInt8(ascii: "_") }
        return Identifier(hexadecimal: Substring(digits))
    }
}

/// The claims of an access token: who is signed in, how, and for how long. Any service with our public keys can verify
/// it offline.
public struct AccessToken: Identified, Hashable, Sendable {
    public static let identifierPrefix = "tok"
    /// The scope of a token without a ``grant`` (RFC 9068 section 2.2.3): all that its holder may do with their own
    /// account.
    public static let scope = "account"

    /// `jti`, by which a receiver can detect replay.
    public let id: ID
    /// `sub`.
    public let accountID: Account.ID
    /// The session that it was made in (`sid`).
    public let sessionID: Session.ID
    /// Whether the account has a proven number (`phone_number_verified`). Not if another account has it now.
    public let isPhoneNumberVerified: Bool
    /// When the number was proven that opened the session (`auth_time`), in whole seconds.
    public let authenticatedAt: Timestamp
    /// `iat`, in whole seconds.
    public let issuedAt: Timestamp
    /// `exp`, in whole seconds.
    public let expiresAt: Timestamp
    /// Its session's (`client_id` and `scope`).
    public let grant: ClientGrant?

    public init(
        id: ID,
        accountID: Account.ID,
        sessionID: Session.ID,
        isPhoneNumberVerified: Bool,
        authenticatedAt: Timestamp,
        issuedAt: Timestamp,
        expiresAt: Timestamp,
        grant: ClientGrant? = nil
    ) {
        (self.id, self.accountID, self.sessionID, self.grant) = (id, accountID, sessionID, grant)
        (self.isPhoneNumberVerified, self.authenticatedAt) = (isPhoneNumberVerified, authenticatedAt)
        (self.issuedAt, self.expiresAt) = (issuedAt, expiresAt)
    }
}

/// The claims of an access token that a client got on its own behalf (RFC 6749 section 4.4): there is no account and no
/// session behind it.
public struct ClientToken: Hashable, Sendable {
    public let id: AccessToken.ID
    /// `sub` and `client_id`.
    public let clientID: OAuthClient.ID
    /// Never empty.
    public let scopes: Set<ClientScope>
    /// It has whole seconds, like `expiresAt`.
    public let issuedAt: Timestamp
    public let expiresAt: Timestamp

    public init(
        id: AccessToken.ID,
        clientID: OAuthClient.ID,
        scopes: Set<ClientScope>,
        issuedAt: Timestamp,
        expiresAt: Timestamp
    ) {
        (self.id, self.clientID, self.scopes) = (id, clientID, scopes)
        (self.issuedAt, self.expiresAt) = (issuedAt, expiresAt)
    }
}

/// Signs tokens of another system for those who have proven a number, beside the service's own.
public protocol ProofTokens: Sendable {
    /// The member that a token has among the `tokens` of a response.
    var name: String { get }
    /// For the account of a signup. Throws if the cryptography fails.
    func token(of account: Account.ID) async throws -> SecretToken
    /// For a number whose approval is left to the client that asked for it. Throws if the cryptography fails.
    func token(of number: PhoneNumber) async throws -> SecretToken
}

/// A well-formed refresh token, genuine or not. It prints as its session and dots.
public struct RefreshToken: Hashable, Sendable {
    private static let prefix = "rt_"
    private static let bodyLength = 43
    private static let tagLength = 22

    /// The session that it claims.
    public let sessionID: Session.ID
    public let secret: SecretToken
    /// 256 bits.
    var body: String { String(secret.text.dropLast(Self.tagLength).suffix(Self.bodyLength)) }
    var tag: String { String(secret.text.suffix(Self.tagLength)) }

    init(_ sessionID: Session.ID, body: String, tag: String) {
        self.sessionID = sessionID
        secret = SecretToken(Self.prefix + sessionID.hexadecimal + "_" + body + tag.prefix(Self.tagLength))
    }

    /// Nil unless the text is well-formed.
    public init?(_ secret: SecretToken) {
        // It may have any length; the parts that are read may not.
        let parts = secret.text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == Self.prefix.dropLast(), let id = Session.ID(hexadecimal: parts[1]),
            parts[2].utf8.count == Self.bodyLength + Self.tagLength, parts[2].utf8.allSatisfy({ $0 < 0x80 })
        else { return nil }
        (sessionID, self.secret) = (id, secret)
    }
}

/// A token's text is `rt_`, the 32 hexadecimal digits of its session, an underscore, 256 bits and a tag of 128, both in
/// base64url. It is opaque to clients. Only digests are stored.
///
/// The next token is derived from the one before, under the service's keys. So all clients that use one token at once
/// get the same next one, though it is stored nowhere; and nobody who has a token, or the database, or both, can make
/// the next. The tag distinguishes any token that was ever made from a forged one, so that only the former ends a
/// session. Every method throws what the ports throw.
public struct RefreshTokens: Sendable {
    private let deriver: any SecretDeriver
    private let vault: any TokenVault
    public init(deriver: any SecretDeriver, vault: any TokenVault) { (self.deriver, self.vault) = (deriver, vault) }

    /// The token that follows this one, one for each known key, the newest first.
    public func next(after token: RefreshToken) throws -> [RefreshToken] {
        try first(of: token.sessionID, from: token.secret)
    }

    /// Whether this service made the token at any time, under a key that it still has.
    public func isGenuine(_ token: RefreshToken) throws -> Bool {
        try deriver.isDerived(token.tag, .refreshTokenTag, from: [token.sessionID.description, token.body])
    }

    public func digest(of token: RefreshToken) throws -> [UInt8] { try vault.digest(of: token.secret) }

    /// Compares in constant time.
    public func matches(_ token: RefreshToken, digest: [UInt8]) throws -> Bool {
        try vault.matches(token.secret, digest: digest)
    }

    /// The first token of a session, one for each known key, the newest first. `secret` is what its holder alone has
    /// shown to open the session: showing it again gives the same token.
    public func first(of session: Session.ID, from secret: SecretToken) throws -> [RefreshToken] {
        let name = session.description
        let bodies = try deriver.derive(.refreshToken, from: [name, secret.text])
        return try zip(bodies.indices, bodies).compactMap { index, body in
            // The tag under the same key, unless the key was removed in between.
            let tags = try deriver.derive(.refreshTokenTag, from: [name, body])
            return tags.indices.contains(index) ? RefreshToken(session, body: body, tag: tags[index]) : nil
        }
    }
}

public struct IssuedTokens: Sendable {
    public let signedIn: SignedIn
    public let accessToken: SecretToken
    let claims: AccessToken
    public let expiresIn: Duration
    public let refreshToken: RefreshToken
}
