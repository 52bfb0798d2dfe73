/// A device that is signed in, known by its refresh token: a family of tokens of which one is valid at a time.
///
/// It contains no token, only digests. A use of the token makes the next one. The previous token is valid for a moment
/// more, since an answer may be lost and several tabs of a browser may share a token; meanwhile the next one is not
/// replaced, so that there is never more than one token before it to answer. After that the previous token ends the
/// session: somebody has a copy (RFC 9700 section 4.14.2).
public struct Session: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ses"

    /// No secret. It has the digits of the verification that opened it, or of the client's code
    /// (``AuthorizationCode``): one proof and one code open one session each.
    public let id: ID
    public let accountID: Account.ID
    /// The device's own name for itself, by which its owner recognizes it.
    public let userAgent: String?
    /// When the number was proven that opened it.
    public let createdAt: Timestamp
    /// When it ends, however much it is used.
    public let expiresAt: Timestamp
    /// The digest of the valid token (``TokenVault/digest(of:)``).
    public private(set) var tokenDigest: [UInt8]
    public private(set) var previousDigest: [UInt8]?
    public private(set) var refreshedAt: Timestamp
    /// When it expires unless it is used before.
    public private(set) var idleUntil: Timestamp
    /// The client that has it, and for what; nil if it is the person's own device or browser, which may do anything.
    public let grant: ClientGrant?

    public init(
        id: ID,
        accountID: Account.ID,
        userAgent: String?,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        tokenDigest: [UInt8],
        previousDigest: [UInt8]? = nil,
        refreshedAt: Timestamp,
        idleUntil: Timestamp,
        grant: ClientGrant? = nil
    ) {
        (self.id, self.accountID, self.userAgent, self.createdAt) = (id, accountID, userAgent, createdAt)
        (self.expiresAt, self.tokenDigest, self.previousDigest) = (expiresAt, tokenDigest, previousDigest)
        (self.refreshedAt, self.idleUntil, self.grant) = (refreshedAt, idleUntil, grant)
    }

    public static func id(openedBy verification: Verification.ID) -> ID {
        ID(bits: verification.high, verification.low)
    }

    public var end: Timestamp { min(expiresAt, idleUntil) }
    public func hasEnded(at now: Timestamp) -> Bool { end <= now }

    /// Whether the previous token is still valid.
    func isInGrace(at now: Timestamp, policy: SessionPolicy) -> Bool {
        previousDigest != nil && now < refreshedAt + policy.refreshGrace
    }

    func isInGrace(_ digest: [UInt8], at now: Timestamp, policy: SessionPolicy) -> Bool {
        // A digest is no secret: it need not be compared in constant time.
        previousDigest == digest && isInGrace(at: now, policy: policy)
    }

    mutating func refresh(with digest: [UInt8], at now: Timestamp, policy: SessionPolicy) {
        previousDigest = tokenDigest
        tokenDigest = digest
        refreshedAt = now
        idleUntil = now + policy.idleTime
    }
}

public struct SignedIn: Hashable, Sendable {
    public let session: Session
    public let account: Account
    public init(session: Session, account: Account) { (self.session, self.account) = (session, account) }

    public func holds(at now: Timestamp) -> Bool {
        session.accountID == account.id && !session.hasEnded(at: now) && !account.isDue(at: now)
    }
}

public struct SessionOpening: Hashable, Sendable {
    /// The digests of the first token, one for each key that it may have been made under, the newest first
    /// (``RefreshTokens/first(of:from:)``).
    public let tokenDigests: [[UInt8]]
    public let userAgent: String?
    public let policy: SessionPolicy

    /// In characters.
    public static let longestUserAgent = 200

    /// Drops what is not printable ASCII from the user agent, and truncates it.
    public init(tokenDigests: [[UInt8]], userAgent: String?, policy: SessionPolicy) {
        (self.tokenDigests, self.policy) = (tokenDigests, policy)
        let printable = userAgent?.utf8.filter { (0x20...0x7E).contains($0) }.prefix(Self.longestUserAgent) ?? []
        self.userAgent = printable.isEmpty ? nil : String(decoding: printable, as: UTF8.self)
    }

    func session(openedBy verification: Verification.ID, of account: Account.ID, at now: Timestamp) -> Session? {
        guard let digest = tokenDigests.first else { return nil }
        return Session(
            id: Session.id(openedBy: verification),
            accountID: account,
            userAgent: userAgent,
            createdAt: now,
            expiresAt: now + policy.lifetime,
            tokenDigest: digest,
            refreshedAt: now,
            idleUntil: now + policy.idleTime
        )
    }
}

public struct SessionPolicy: Hashable, Sendable {
    /// It cannot be revoked before. Standard: 15 minutes.
    public var accessTokenTTL: Duration = .seconds(900)
    /// How long a session lives from the proof that opened it, however much it is used. Standard: 90 days.
    public var lifetime: Duration = .seconds(90 * 86_400)
    /// How long a session lives without being used. Standard: 30 days.
    public var idleTime: Duration = .seconds(30 * 86_400)
    /// How long the previous refresh token is valid after the next one was made, for a client that lost the answer or
    /// asks from several tabs, and how long that next one is not replaced; zero for not at all. Standard: 30 s.
    public var refreshGrace: Duration = .seconds(30)
    /// How long a browser stays signed in to the pages for clients. Standard: 12 hours.
    public var browserTime: Duration = .seconds(12 * 3600)
    public static let standard = SessionPolicy()
}
