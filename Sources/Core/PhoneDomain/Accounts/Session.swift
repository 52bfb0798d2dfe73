public import PhoneSignup

/// A device that is signed in, known by its refresh token: a family of tokens of which one is valid at a time.
///
/// It contains no token, only digests. A use of the token makes the next one. The previous token is valid for a moment
/// more, since an answer may be lost and several tabs of a browser may share a token; meanwhile the next one is not
/// replaced, so that there is never more than one token before it to answer. After that the previous token ends the
/// session: somebody has a copy (RFC 9700 section 4.14.2).
public struct Session: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ses"

    /// No secret. It has the digits of the verification that opened it, or of the client's code
    /// (`AuthorizationCode`): one proof and one code open one session each.
    public let id: ID
    public let accountID: Account.ID
    /// The device's own name for itself, by which its owner recognizes it.
    public let userAgent: String?
    /// When the proof was given that opened it.
    public let createdAt: Timestamp
    /// When it ends, however much it is used.
    public let expiresAt: Timestamp
    /// The digest of the valid token (`TokenVault.digest(of:)`).
    public private(set) var tokenDigest: [UInt8]
    public private(set) var previousDigest: [UInt8]?
    public private(set) var refreshedAt: Timestamp
    /// When it expires unless it is used before.
    public private(set) var idleUntil: Timestamp
    /// The client that has it, and for what; nil if it is the person's own device or browser, which may do anything.
    public let grant: ClientGrant?
    /// The account's when it was opened (``Account/sessionGeneration``).
    public let generation: Int
    /// What its holder has shown to open it.
    public let proof: SessionProof

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
        grant: ClientGrant? = nil,
        generation: Int = 0,
        proof: SessionProof = .code
    ) {
        (self.id, self.accountID, self.userAgent, self.createdAt) = (id, accountID, userAgent, createdAt)
        (self.expiresAt, self.tokenDigest, self.previousDigest) = (expiresAt, tokenDigest, previousDigest)
        (self.refreshedAt, self.idleUntil) = (refreshedAt, idleUntil)
        (self.grant, self.generation, self.proof) = (grant, generation, proof)
    }

    public static func id(openedBy verification: Verification.ID) -> ID {
        ID(bits: verification.high, verification.low)
    }

    public var end: Timestamp { min(expiresAt, idleUntil) }

    /// Whether it is the account's, which has not ended it together with all others.
    package func belongs(to account: Account) -> Bool {
        accountID == account.id && generation == account.sessionGeneration
    }

    public func hasEnded(at now: Timestamp) -> Bool { end <= now }

    package mutating func refresh(with digest: [UInt8], at now: Timestamp, policy: SessionPolicy) {
        previousDigest = tokenDigest
        tokenDigest = digest
        refreshedAt = now
        idleUntil = now + policy.idleTime
    }
}

/// What somebody has shown who signs in. Raw values are stored.
public enum SessionProof: String, Sendable, CaseIterable {
    /// The code that was sent to the number, or a message from it.
    case code
    /// A key on a device, which has asked for the person's finger, face or screen lock before.
    case key
}

public struct SignedIn: Hashable, Sendable {
    public let session: Session
    public let account: Account
    public init(session: Session, account: Account) { (self.session, self.account) = (session, account) }

    public func holds(at now: Timestamp) -> Bool {
        session.belongs(to: account) && !session.hasEnded(at: now) && !account.isDue(at: now)
    }
}

extension [Session] {
    /// Which of an account's sessions are deleted because it opens one more: of those that are live the ones that were
    /// opened first beyond the bounds (``SessionPolicy/mostOwn`` and those beside it), and those that are not live any
    /// more; of many only some, so that opening one takes as long however many there are.
    public func replaced(by opened: Session, of account: Account, at now: Timestamp) -> [Session] {
        let others = filter { $0.id != opened.id }
        func isLive(_ session: Session) -> Bool { SignedIn(session: session, account: account).holds(at: now) }
        // IDs begin with the time.
        var live = others.filter(isLive).sorted { ($0.id.high, $0.id.low) < ($1.id.high, $1.id.low) }
        var replaced: [Session] = []
        func end(beyond most: Int, where isCounted: (Session) -> Bool) {
            let ended = live.filter(isCounted).dropLast(most - 1)
            replaced += ended
            live.removeAll { session in ended.contains { $0.id == session.id } }
        }
        if let client = opened.grant?.clientID {
            end(beyond: SessionPolicy.mostOfClient) { $0.grant?.clientID == client }
            end(beyond: SessionPolicy.mostOfClients) { $0.grant != nil }
        } else {
            end(beyond: SessionPolicy.mostOwn) { $0.grant == nil }
        }
        return Array((replaced + others.filter { !isLive($0) }).prefix(20))
    }
}

public struct SessionOpening: Hashable, Sendable {
    /// The digests of the first token, one for each key that it may have been made under, the newest first
    /// (`RefreshTokens.first(of:from:)`).
    public let tokenDigests: [[UInt8]]
    public let userAgent: String?
    public let policy: SessionPolicy

    /// The most characters of a User-Agent that are stored.
    public static let longestUserAgent = 200

    /// Drops what is not printable ASCII from the user agent, and truncates it.
    public init(tokenDigests: [[UInt8]], userAgent: String?, policy: SessionPolicy) {
        (self.tokenDigests, self.policy) = (tokenDigests, policy)
        let printable = userAgent?.utf8.filter { (0x20...0x7E).contains($0) }.prefix(Self.longestUserAgent) ?? []
        self.userAgent = printable.isEmpty ? nil : String(decoding: printable, as: UTF8.self)
    }

    package func session(openedBy verification: Verification.ID, of account: Account, at now: Timestamp) -> Session? {
        session(Session.id(openedBy: verification), by: .code, of: account, at: now)
    }

    package func session(
        _ id: Session.ID,
        by proof: SessionProof,
        of account: Account,
        at now: Timestamp
    ) -> Session? {
        guard let digest = tokenDigests.first else { return nil }
        return Session(
            id: id,
            accountID: account.id,
            userAgent: userAgent,
            createdAt: now,
            expiresAt: now + policy.lifetime,
            tokenDigest: digest,
            refreshedAt: now,
            idleUntil: now + policy.idleTime,
            generation: account.sessionGeneration,
            proof: proof
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

    // How many live sessions an account has at most. When it opens one more, the oldest ends; so what is done with all
    // sessions of an account takes no longer than with these. Each is far more than anybody uses.

    /// The person's own devices and browsers.
    public static let mostOwn = 50
    /// The most sessions of one client: a page that keeps refresh tokens may open one each time a person signs in.
    public static let mostOfClient = 50
    /// The most sessions of all clients together.
    public static let mostOfClients = 100
    public static let most = mostOwn + mostOfClients
}

/// What a client may be given in a sign-in. Raw values are the wire's, and stored; others that are asked for are
/// ignored (OpenID Connect Core 1.0 section 3.1.2.1).
public enum OpenIDScope: String, Sendable, CaseIterable {
    case openID = "openid"
    /// `phone_number` and `phone_number_verified` of the account.
    case phone
    /// `preferred_username`, which is the ID of the account.
    case profile
    /// Refresh tokens.
    case offlineAccess = "offline_access"
}

/// A program that signs people in by OpenID Connect (`OAuthClient`), of which a session knows the ID alone.
public enum RelyingParty: Identified {
    public static let identifierPrefix = "cli"
}

/// What a client got in a session of its own.
public struct ClientGrant: Hashable, Sendable {
    public let clientID: RelyingParty.ID
    /// Never empty.
    public let scopes: Set<OpenIDScope>
    public init(clientID: RelyingParty.ID, scopes: Set<OpenIDScope>) {
        (self.clientID, self.scopes) = (clientID, scopes)
    }
}
