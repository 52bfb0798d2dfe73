/// A device that is signed in, known by its refresh token: a family of tokens of which one is good at a time.
///
/// It bears no token, only digests. Every use of the token makes the next one; a token that was used before is good
/// once more for a moment, since an answer may be lost, and after that ends the session: somebody has a copy
/// (RFC 9700 section 4.14.2).
public struct Session: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ses"

    /// Its name; no secret. It has the digits of the verification that opened it: one proof opens one session.
    public let id: ID
    /// Whose it is.
    public let accountID: Account.ID
    /// What the device calls itself, as its holder is to recognise it; nil if it did not say.
    public let userAgent: String?
    /// When the number was proven that opened it.
    public let createdAt: Timestamp
    /// When it ends, however much it is used.
    public let expiresAt: Timestamp
    /// The digest of the token that is good now (``TokenVault/digest(of:)``).
    public private(set) var tokenDigest: [UInt8]
    /// The digest of the token before it; nil as long as there was none.
    public private(set) var previousDigest: [UInt8]?
    /// When the token that is good now was made.
    public private(set) var refreshedAt: Timestamp
    /// When it ends unless it is used before.
    public private(set) var idleUntil: Timestamp

    /// A session as a store kept it.
    public init(
        id: ID,
        accountID: Account.ID,
        userAgent: String?,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        tokenDigest: [UInt8],
        previousDigest: [UInt8]? = nil,
        refreshedAt: Timestamp,
        idleUntil: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.userAgent = userAgent
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.tokenDigest = tokenDigest
        self.previousDigest = previousDigest
        self.refreshedAt = refreshedAt
        self.idleUntil = idleUntil
    }

    /// The name of the session that this verification opens.
    public static func id(openedBy verification: Verification.ID) -> ID {
        ID(bits: verification.high, verification.low)
    }

    /// When it ends if nothing else happens.
    public var end: Timestamp { min(expiresAt, idleUntil) }

    /// Whether it is over.
    public func isOver(at now: Timestamp) -> Bool {
        end <= now
    }

    /// Whether a token of this digest was good until a moment ago.
    func isInGrace(_ digest: [UInt8], at now: Timestamp, policy: SessionPolicy) -> Bool {
        // A digest is no secret: it need not be compared in constant time.
        previousDigest == digest && now < refreshedAt + policy.refreshGrace
    }

    /// Takes the next token in place of the one that is good now.
    mutating func refresh(with digest: [UInt8], at now: Timestamp, policy: SessionPolicy) {
        previousDigest = tokenDigest
        tokenDigest = digest
        refreshedAt = now
        idleUntil = now + policy.idleTime
    }
}
