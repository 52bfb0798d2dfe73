/// The proof, in progress or done, that whoever asked holds a number.
///
/// A state machine without a clock, a store or a code: its methods say what follows from an event at a moment, and
/// the one who calls them performs it. All of its rules are here and in ``NumberActivity``.
public struct Verification: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ver"

    /// Its name.
    public let id: ID
    /// The number to be proven.
    public let phoneNumber: PhoneNumber
    /// Who asked for it.
    public let owner: Owner
    /// How the code is sent.
    public let channel: Channel
    /// The language of the message.
    public let language: LanguageTag
    /// The code, sealed. It stays what it is, unless a tenant brings another of its own while it is pending.
    public internal(set) var code: SealedCode
    /// When it was begun.
    public let createdAt: Timestamp
    /// How long its code lives once a gateway has taken a message of it (``VerificationPolicy/codeTTL``).
    public let codeTTL: Duration
    /// Whether its number is a test number: nothing is sent, and nothing counts towards limits on the number.
    public let isTest: Bool
    /// Whether its owner brought the code (``VerificationTerms/code``), and so knows it without having the phone.
    public internal(set) var hasCustomCode: Bool
    /// Until when its code is good at least; only ever put off. While a message waits for a gateway, ``end`` is later.
    public internal(set) var expiresAt: Timestamp
    /// When a message of it was queued last.
    public internal(set) var sentAt: Timestamp
    /// When a gateway took one last, or nil if none has.
    public internal(set) var acceptedAt: Timestamp?
    /// From when the code may be sent again.
    public internal(set) var nextSendAt: Timestamp
    /// How often the code may still be sent.
    public internal(set) var sendsLeft: Int
    /// How many codes may still be compared.
    public internal(set) var checksLeft: Int
    /// How it ended, or `pending`; ``status(at:)`` knows of time as well.
    public internal(set) var recordedStatus: VerificationStatus
    /// When the status last changed.
    public internal(set) var updatedAt: Timestamp
    /// The account that the approval was used for; an approval is used once.
    public internal(set) var consumedBy: Account.ID?
    /// From where the approval may be asked for once more (``CallerMark``), for a few seconds and as long as nobody
    /// tries another code; nil if from nowhere.
    public internal(set) var repeatableBy: CallerMark?

    /// A verification as a store kept it.
    public init(
        id: ID,
        phoneNumber: PhoneNumber,
        owner: Owner,
        channel: Channel,
        language: LanguageTag,
        code: SealedCode,
        createdAt: Timestamp,
        codeTTL: Duration = longestLife,
        isTest: Bool = false,
        hasCustomCode: Bool = false,
        expiresAt: Timestamp,
        sentAt: Timestamp? = nil,
        acceptedAt: Timestamp? = nil,
        nextSendAt: Timestamp,
        sendsLeft: Int,
        checksLeft: Int,
        recordedStatus: VerificationStatus,
        updatedAt: Timestamp,
        consumedBy: Account.ID?,
        repeatableBy: CallerMark? = nil
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.owner = owner
        self.channel = channel
        self.language = language
        self.code = code
        self.createdAt = createdAt
        self.codeTTL = codeTTL
        self.isTest = isTest
        self.hasCustomCode = hasCustomCode
        self.expiresAt = expiresAt
        self.sentAt = sentAt ?? createdAt
        self.acceptedAt = acceptedAt
        self.nextSendAt = nextSendAt
        self.sendsLeft = sendsLeft
        self.checksLeft = checksLeft
        self.recordedStatus = recordedStatus
        self.updatedAt = updatedAt
        self.consumedBy = consumedBy
        self.repeatableBy = repeatableBy
    }

    /// How long a code lives at most, from its creation (NIST SP 800-63B section 5.1.3.2).
    public static let longestLife: Duration = .seconds(600)

    /// When its time is over, as things stand. While a message waits for a gateway that is ``longestLife`` after
    /// ``createdAt``: a slow gateway must not use up the time of a code that nobody has yet.
    public var end: Timestamp {
        guard acceptedAt.map({ $0 < sentAt }) ?? true else { return expiresAt }
        return max(expiresAt, createdAt + Self.longestLife)
    }

    /// How long the code is valid if a gateway takes its message at this moment. A message gives the time as of when it was
    /// queued, so that it has the same text whenever it is sent.
    public func life(ifAcceptedAt now: Timestamp) -> Duration {
        min(codeTTL, createdAt + Self.longestLife - now)
    }

    /// How it stands at this moment: one that was pending when its time ran out has expired.
    public func status(at now: Timestamp) -> VerificationStatus {
        recordedStatus == .pending && !isInItsTime(at: now) ? .expired : recordedStatus
    }

    /// Whether its time has not run out. If a clock that was ahead made it, its end may be far; it is over all the same
    /// once the clock was put right by more than it may be wrong.
    private func isInItsTime(at now: Timestamp) -> Bool {
        now < end && now > createdAt - Self.clockTolerance
    }

    /// How far a clock may have been ahead when it made or approved a verification, which then still counts.
    public static let clockTolerance: Duration = .seconds(300)

    /// Puts on record that its time has run out, so that a clock which is set back later does not bring its code to life
    /// again, nor one which was ahead when it was made, once that time comes.
    ///
    /// - Returns: whether it did, and the verification must be kept.
    public mutating func close(at now: Timestamp) -> Bool {
        guard recordedStatus == .pending, !isInItsTime(at: now) else { return false }
        recordedStatus = .expired
        return true
    }

    /// Whether a request for a code by its owner still concerns this verification rather than a new one: while it is
    /// pending, and while it is locked, since a new one would bring new checks.
    public func isLive(at now: Timestamp) -> Bool {
        isInItsTime(at: now) && (recordedStatus == .pending || recordedStatus == .maxAttemptsReached)
    }

    /// What this verification, its code aside, is bound to.
    public var codeContext: CodeContext {
        CodeContext(verificationID: id, e164: phoneNumber.e164)
    }

    /// Why the code may not be sent once more, or nil if it may, as far as this verification goes.
    func resendRefusal() -> PhoneFailure? {
        if recordedStatus == .maxAttemptsReached { return .maxChecksReached(retryAt: end) }
        if sendsLeft <= 0 { return .maxSendsReached(retryAt: end) }
        return nil
    }

    mutating func recordSend(at now: Timestamp, nextSendAt: Timestamp) {
        sendsLeft -= 1
        sentAt = now
        self.nextSendAt = nextSendAt
    }

    /// A gateway has taken a message: from now on the code has its ``codeTTL``, and 10 minutes from its creation at most.
    ///
    /// The time it took counts in steps of five seconds. Otherwise the end would tell one who looks closely whether there
    /// was a gateway, or the message was held back in silence.
    mutating func recordAcceptance(at now: Timestamp) {
        acceptedAt = max(now, sentAt)
        guard recordedStatus == .pending else { return }
        let steps = (max(.zero, now - createdAt) / Self.acceptanceStep).rounded(.up)
        let accepted = createdAt + Self.acceptanceStep * max(1, steps)
        expiresAt = max(expiresAt, min(accepted + codeTTL, createdAt + Self.longestLife))
    }

    private static let acceptanceStep: Duration = .seconds(5)

    /// Why no code may be compared at this moment, or nil if one may.
    func checkRefusal(at now: Timestamp) -> PhoneFailure? {
        switch status(at: now) {
        case .pending: nil
        case .expired: .codeExpired
        case .maxAttemptsReached: isInItsTime(at: now) ? .maxChecksReached(retryAt: end) : .codeExpired
        case .approved, .canceled, .failed: .verificationClosed
        }
    }

    /// Takes one check away, before anything is compared: whatever goes wrong in the comparison, it was counted.
    mutating func countCheck() {
        checksLeft = max(0, checksLeft - 1)
    }

    mutating func recordMismatch(at now: Timestamp) {
        guard checksLeft <= 0 else { return }
        recordedStatus = .maxAttemptsReached
        // Neither the same code nor a new one goes out before this verification is over.
        nextSendAt = end
        updatedAt = now
    }

    mutating func approve(at now: Timestamp, for caller: CallerMark) {
        recordedStatus = .approved
        updatedAt = now
        repeatableBy = caller
    }

    /// Whether this caller may hear of the approval, or of what it was used for, once more.
    func isRepeatable(by caller: CallerMark, at now: Timestamp) -> Bool {
        recordedStatus == .approved && repeatableBy == caller
            && updatedAt - Self.clockTolerance < now && now < updatedAt + Self.repeatTime
    }

    /// How long a client that lost the answer may ask again: a second tap, a retried request. It is counted from the arrival
    /// of the first request, which may have waited for the store for ``Swift/Duration/longestDelay``.
    static let repeatTime: Duration = .longestDelay + .seconds(10)

    /// Why the approval cannot be used, or nil if it can.
    func useRefusal(at now: Timestamp, approvalTTL: Duration) -> PhoneFailure? {
        switch status(at: now) {
        case .approved where consumedBy == nil: break
        case .expired: return .codeExpired
        case .pending: return .verificationNotApproved
        case .approved, .canceled, .failed, .maxAttemptsReached: return .verificationClosed
        }
        // The second for an approval that a clock gave which was ahead.
        return now < updatedAt + approvalTTL && now > updatedAt - Self.clockTolerance ? nil : .codeExpired
    }

    /// Uses the approval.
    mutating func consume(for account: Account.ID, by caller: CallerMark, at now: Timestamp) {
        consumedBy = account
        updatedAt = now
        repeatableBy = caller
    }

    mutating func cancel(at now: Timestamp) {
        recordedStatus = .canceled
        updatedAt = now
    }

    /// Ends a pending verification whose message no gateway would take.
    mutating func fail(at now: Timestamp) {
        guard recordedStatus == .pending else { return }
        recordedStatus = .failed
        updatedAt = now
    }
}
