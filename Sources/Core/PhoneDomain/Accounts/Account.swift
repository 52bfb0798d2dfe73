public import PhoneNumbers
public import PhoneSignup

/// The result of a signup: a person known by a proven number. No two accounts have one number.
public struct Account: Identified, Hashable, Sendable {
    public static let identifierPrefix = "acc"

    /// Stays the same when the number changes.
    public let id: ID
    /// The number that was proven; nil since it was unlinked, because another account has it now.
    public internal(set) var phoneNumber: PhoneNumber?
    /// Since when the account has that number, or none; of two changes within a millisecond the second counts as later.
    public internal(set) var phoneNumberSince: Timestamp
    public let createdAt: Timestamp
    /// Nil if it was imported.
    public let createdBy: Verification.ID?
    /// When its owner last signed in by the number or refreshed a session that it has opened, to within
    /// ``activityInterval``. A key says nothing of the number, which may be somebody else's meanwhile.
    public internal(set) var lastActiveAt: Timestamp
    public package(set) var metadata: AccountMetadata
    public package(set) var deletionDueAt: Timestamp?
    /// Its sessions are live that have this number (``Session/generation``). One more ends all of them at once, which
    /// takes as long however many there are; upkeep deletes them.
    public private(set) var sessionGeneration: Int
    /// The last one that was given; nil if none was asked for.
    public internal(set) var consent: Consent?
    /// When an operator suspended it: it has no session since, and nobody gets one by proving its number. Nil while it
    /// is not.
    public package(set) var suspendedAt: Timestamp?
    public package(set) var externalID: ExternalID?

    /// How long activity may go unrecorded after some that was, so that a busy account is not written all the time.
    public static let activityInterval: Duration = .seconds(3600)

    /// `phoneNumberSince` and `lastActiveAt` default to `createdAt`.
    public init(
        id: ID,
        phoneNumber: PhoneNumber?,
        phoneNumberSince: Timestamp? = nil,
        createdAt: Timestamp,
        createdBy: Verification.ID?,
        lastActiveAt: Timestamp? = nil,
        metadata: AccountMetadata = .empty,
        deletionDueAt: Timestamp? = nil,
        sessionGeneration: Int = 0,
        consent: Consent? = nil,
        suspendedAt: Timestamp? = nil,
        externalID: ExternalID? = nil
    ) {
        (self.id, self.phoneNumber) = (id, phoneNumber)
        self.phoneNumberSince = phoneNumberSince ?? createdAt
        (self.createdAt, self.createdBy) = (createdAt, createdBy)
        self.lastActiveAt = lastActiveAt ?? createdAt
        (self.metadata, self.deletionDueAt, self.sessionGeneration) = (metadata, deletionDueAt, sessionGeneration)
        (self.consent, self.suspendedAt, self.externalID) = (consent, suspendedAt, externalID)
    }

    public func isDue(at now: Timestamp) -> Bool { deletionDueAt.map { $0 <= now } ?? false }

    /// Whether it was inactive for so long that its number may have been reassigned.
    public func isDormant(at now: Timestamp, policy: AccountPolicy) -> Bool {
        guard let time = policy.dormantAfter else { return false }
        return lastActiveAt + time <= now
    }

    package mutating func recordActivity(in session: Session, at now: Timestamp) {
        if session.proof == .code { recordActivity(at: now) }
    }

    package mutating func recordActivity(at now: Timestamp) {
        // A clock that was set back must not make it look older.
        if lastActiveAt + Self.activityInterval <= now { lastActiveAt = now }
    }

    /// Ends every session, that of the client that asks among them.
    package mutating func endSessions() { sessionGeneration += 1 }

    /// Its owner is back: a requested deletion is canceled.
    package mutating func recordSignIn(by proof: SessionProof = .code, at now: Timestamp) {
        if proof == .code { lastActiveAt = max(lastActiveAt, now) }
        deletionDueAt = nil
    }

    /// The account without its number, which is kept for clients that still have a session, and then deleted.
    package func unlinked(at now: Timestamp, policy: AccountPolicy) -> Account {
        var account = self
        (account.phoneNumber, account.phoneNumberSince) = (nil, next(now))
        let end = now + policy.holdTime
        account.deletionDueAt = min(deletionDueAt ?? end, end)
        return account
    }

    package mutating func take(_ number: PhoneNumber, at now: Timestamp) {
        // A deletion that was scheduled because its number was gone is canceled.
        if phoneNumber == nil { deletionDueAt = nil }
        phoneNumber = number
        phoneNumberSince = next(now)
    }

    /// The time of a change of number, later than the previous one in any case: undoing a change closes those made
    /// after it and no other, even if they come within a millisecond or by the clock of another instance.
    private func next(_ now: Timestamp) -> Timestamp { max(now, phoneNumberSince + .milliseconds(1)) }
}

/// By what the operator's own programs know an account, such as its ID in the system that it was imported from: no two
/// accounts have the same one. As long as a subject of OpenID Connect may be, and ASCII as that (Core 1.0 section 2).
public struct ExternalID: Hashable, Sendable, LosslessStringConvertible {
    public static let longest = 255
    /// What a text is that is none.
    public static let requirement = "must be 1 to \(longest) printable ASCII characters"
    public let description: String

    public init?(_ description: String) {
        guard (1...Self.longest).contains(description.utf8.count),
            description.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
        else { return nil }
        self.description = description
    }
}

/// A JSON object that programs store with an account. The service does not interpret it.
public struct AccountMetadata: Hashable, Sendable {
    /// The most bytes of its text in UTF-8.
    public static let maxByteCount = 16_384
    /// How deep objects and lists may nest, counting the outermost.
    public static let maxDepth = 8

    public enum Fault: Hashable, Sendable, CaseIterable {
        case tooLong, tooDeep
    }

    public let json: String

    public static let empty = AccountMetadata(json: "{}")

    /// - Parameter json: what is stored, or what the parser has checked.
    public init(json: String) { self.json = json }
}

public struct AccountPolicy: Hashable, Sendable {
    /// What to do when somebody proves the number of a dormant account. Raw values are what operators write.
    public enum Recycling: String, Sendable, CaseIterable {
        /// It is the same person: they are signed in.
        case signIn = "sign_in"
        /// It is somebody else: they get a new account, and the old one is unlinked and kept for a while.
        case quarantine
        /// A program that knows the person better is asked first.
        case ask
    }

    /// Standard: ``Recycling/signIn``, as an honest person who comes back after a long time would be shut out by any
    /// other unless the operator has a way to help them.
    public var recycling = Recycling.signIn
    /// How long without activity until an account is dormant; nil for never. In the United States a number that was
    /// given up may be reassigned after 45 days (47 CFR 64.1200(l)(1)). Standard: 90 days.
    public var dormantAfter: Duration? = .seconds(90 * 86_400)
    /// How long an account is stored after its number was unlinked. Standard: 90 days.
    public var holdTime: Duration = .seconds(90 * 86_400)
    /// How long after a request for deletion an account is deleted, but never before ``undoTime``. Standard: 14 days.
    public var deletionGrace: Duration = .seconds(14 * 86_400)
    /// How long the owner of the old number can undo a change of number. Standard: 3 days.
    public var undoTime: Duration = .seconds(3 * 86_400)
    /// How old the proof of the number may be in a session that changes it; nil for any age. NIST SP 800-63B revision 4
    /// section 4.1 asks for a fresh proof before an authenticator is bound; but a person who has lost the old number
    /// cannot give it. Standard: nil; the old number is notified, and can undo the change.
    public var freshProof: Duration?
    /// Standard: nil, nothing is asked for.
    public var consent: ConsentPolicy?
    public static let standard = AccountPolicy()

    public func isProofTooOld(of session: Session, at now: Timestamp) -> Bool {
        freshProof.map { session.createdAt + $0 <= now } ?? false
    }
}

/// What its owner has accepted with an account, and when.
public struct Consent: Hashable, Sendable {
    public let version: String
    public let acceptedAt: Timestamp

    public init(version: String, acceptedAt: Timestamp) { (self.version, self.acceptedAt) = (version, acceptedAt) }
}

/// The operator's rules that people accept who sign up.
public struct ConsentPolicy: Hashable, Sendable {
    public let version: String
    /// Whether there is no account without it. Otherwise it is recorded where it is given.
    public let isRequired: Bool
    public let terms, privacy: RedirectURI?
    /// Whether a driver asks before each signup, so that each new account has accepted: the prompt in a terminal, whose
    /// signup is not stored.
    public var isAskedBefore = false

    public init(version: String, isRequired: Bool, terms: RedirectURI? = nil, privacy: RedirectURI? = nil) {
        (self.version, self.isRequired, self.terms, self.privacy) = (version, isRequired, terms, privacy)
    }

    /// Nil if it was not given, or to another version.
    func consent(in signup: Signup?, at now: Timestamp) -> Consent? {
        guard isAskedBefore || signup?.consentVersion == version else { return nil }
        return Consent(version: version, acceptedAt: now)
    }
}
