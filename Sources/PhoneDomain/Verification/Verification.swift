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
    /// The code, sealed.
    public let code: SealedCode
    /// When it was begun.
    public let createdAt: Timestamp
    /// When its code dies: ``VerificationPolicy/codeTTL`` after ``createdAt``.
    public let expiresAt: Timestamp
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

    /// A verification as a store kept it.
    public init(
        id: ID,
        phoneNumber: PhoneNumber,
        owner: Owner,
        channel: Channel,
        language: LanguageTag,
        code: SealedCode,
        createdAt: Timestamp,
        expiresAt: Timestamp,
        nextSendAt: Timestamp,
        sendsLeft: Int,
        checksLeft: Int,
        recordedStatus: VerificationStatus,
        updatedAt: Timestamp,
        consumedBy: Account.ID?
    ) {
        self.id = id
        self.phoneNumber = phoneNumber
        self.owner = owner
        self.channel = channel
        self.language = language
        self.code = code
        self.createdAt = createdAt
        self.expiresAt = expiresAt
        self.nextSendAt = nextSendAt
        self.sendsLeft = sendsLeft
        self.checksLeft = checksLeft
        self.recordedStatus = recordedStatus
        self.updatedAt = updatedAt
        self.consumedBy = consumedBy
    }

    /// How it stands at this moment: one that was pending when its time ran out has expired.
    public func status(at now: Timestamp) -> VerificationStatus {
        recordedStatus == .pending && !isInItsTime(at: now) ? .expired : recordedStatus
    }

    /// Whether its time has not run out. If a clock that was ahead made it, its end may be far; it is over all the same
    /// once the clock was put right by more than it may be wrong.
    private func isInItsTime(at now: Timestamp) -> Bool {
        now < expiresAt && now > createdAt - Self.clockTolerance
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
        if recordedStatus == .maxAttemptsReached { return .maxChecksReached(retryAt: expiresAt) }
        if sendsLeft <= 0 { return .maxSendsReached(retryAt: expiresAt) }
        return nil
    }

    mutating func recordSend(nextSendAt: Timestamp) {
        sendsLeft -= 1
        self.nextSendAt = nextSendAt
    }

    /// Why no code may be compared at this moment, or nil if one may.
    func checkRefusal(at now: Timestamp) -> PhoneFailure? {
        switch status(at: now) {
        case .pending: nil
        case .expired: .codeExpired
        case .maxAttemptsReached: isInItsTime(at: now) ? .maxChecksReached(retryAt: expiresAt) : .codeExpired
        case .approved, .canceled, .failed: .verificationClosed
        }
    }

    /// Takes one check away, before anything is compared: whatever goes wrong in the comparison, it was counted.
    mutating func countCheck() {
        checksLeft -= 1
    }

    mutating func recordMismatch(at now: Timestamp) {
        guard checksLeft <= 0 else { return }
        recordedStatus = .maxAttemptsReached
        // Neither the same code nor a new one goes out before this verification is over.
        nextSendAt = expiresAt
        updatedAt = now
    }

    mutating func approve(at now: Timestamp) {
        recordedStatus = .approved
        updatedAt = now
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
