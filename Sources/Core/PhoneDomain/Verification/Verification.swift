public import PhoneNumbers
public import PhoneSignup

/// The proof, in progress or done, that a client holds a number.
///
/// A state machine without a clock, a store or a code: its methods say what follows from an event at a time, and the
/// caller performs it. All of its rules are here and in ``NumberActivity``.
public struct Verification: Identified, Hashable, Sendable {
    public static let identifierPrefix = "ver"
    public let id: ID
    public let phoneNumber: PhoneNumber
    public let owner: Owner
    /// The channel of its last message.
    public internal(set) var channel: Channel
    /// The channels that are tried after ``channel``, in this order, with the same code; none where the request named
    /// the channel, which then never changes by itself.
    public internal(set) var fallbacks: [Channel]
    public let language: LanguageTag
    /// Sealed.
    public private(set) var code: SealedCode
    public let createdAt: Timestamp
    /// How long its code lives once a gateway has accepted a message with it (``VerificationPolicy/codeTTL``).
    public let codeTTL: Duration
    /// Whether its number is a test number: nothing is sent, and nothing counts towards limits on the number.
    public let isTest: Bool
    /// Whether its owner brought the code (``DialectOptions/code``), and so knows it without having the phone.
    public private(set) var hasCustomCode: Bool
    /// The client whose networks its messages and its approval count for (``NumberTraffic/networks``): the one that it
    /// was begun for. Nil if that is unknown, or if nothing counts.
    public let begunFrom: ClientAddress?
    /// The earliest expiry; only ever moved later. While a message waits for a gateway, ``end`` is later.
    public internal(set) var expiresAt: Timestamp
    /// When its last message was queued.
    public internal(set) var sentAt: Timestamp
    /// When a gateway last accepted one. That of the first message may have been taken for granted
    /// (``assumeAcceptance(within:)``).
    public internal(set) var acceptedAt: Timestamp?
    public internal(set) var nextSendAt: Timestamp
    public internal(set) var sendsLeft: Int
    public internal(set) var checksLeft: Int
    /// ``checksLeft`` when a message with its code was last queued for a gateway; nil while none carried the code.
    public internal(set) var checksLeftAtSend: Int?
    /// The final status, or `pending`; ``status(at:)`` also considers the time.
    public internal(set) var recordedStatus: VerificationStatus
    public internal(set) var updatedAt: Timestamp
    /// The account that the approval was used for; an approval is used once.
    public internal(set) var consumedBy: Account.ID?
    /// The client to which the approval may be repeated (``ClientOrigin``), for some seconds, unless another code is
    /// tried.
    public internal(set) var repeatableBy: ClientOrigin?
    /// For each wrong code bound to no token (``RequestContext/isPublic``), whose share of the checks it took
    /// (``VerificationPolicy/checkShare``).
    public private(set) var guessers: [ClientOrigin]
    /// The key of the request that last had its code sent, or tried a wrong one. If that one's outcome was lost on the way
    /// from the database, its repetition gets the same, and changes and counts nothing.
    public internal(set) var lastRequest: IdempotencyKey?
    /// The labels of the last request that brought any.
    public internal(set) var labels: Labels
    /// The labels that a server gave, which webhooks and hooks repeat. Anybody can give some to a guided signup, and a
    /// receiver would take them for its own.
    public var serverLabels: Labels { owner.signupID == nil ? labels : .none }

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
        begunFrom: ClientAddress? = nil,
        expiresAt: Timestamp,
        sentAt: Timestamp? = nil,
        acceptedAt: Timestamp? = nil,
        nextSendAt: Timestamp,
        sendsLeft: Int,
        checksLeft: Int,
        checksLeftAtSend: Int? = nil,
        recordedStatus: VerificationStatus,
        updatedAt: Timestamp,
        consumedBy: Account.ID?,
        repeatableBy: ClientOrigin? = nil,
        fallbacks: [Channel] = [],
        guessers: [ClientOrigin] = [],
        lastRequest: IdempotencyKey? = nil,
        labels: Labels = .none
    ) {
        (self.id, self.phoneNumber, self.owner) = (id, phoneNumber, owner)
        (self.channel, self.fallbacks) = (channel, fallbacks)
        (self.language, self.code, self.createdAt, self.codeTTL) = (language, code, createdAt, codeTTL)
        (self.isTest, self.hasCustomCode, self.begunFrom) = (isTest, hasCustomCode, begunFrom)
        self.expiresAt = expiresAt
        self.sentAt = sentAt ?? createdAt
        (self.acceptedAt, self.nextSendAt, self.sendsLeft) = (acceptedAt, nextSendAt, sendsLeft)
        (self.checksLeft, self.checksLeftAtSend) = (checksLeft, checksLeftAtSend)
        (self.recordedStatus, self.updatedAt) = (recordedStatus, updatedAt)
        (self.consumedBy, self.repeatableBy, self.guessers) = (consumedBy, repeatableBy, guessers)
        (self.lastRequest, self.labels) = (lastRequest, labels)
    }

    /// How long a code lives at most, from its creation (NIST SP 800-63B section 5.1.3.2).
    public static let longestLife: Duration = .seconds(600)

    /// When it expires, as things stand. While a message waits for a gateway that is ``longestLife`` after
    /// ``createdAt``: a slow gateway must not use up the time of a code that nobody has yet.
    public var end: Timestamp {
        guard acceptedAt.map({ $0 < sentAt }) ?? true else { return expiresAt }
        return max(expiresAt, createdAt + Self.longestLife)
    }

    /// How long the code is valid if a gateway accepts its message at this moment. A message states the time from when
    /// it was queued, so that its text is the same whenever it is sent.
    public func life(ifAcceptedAt now: Timestamp) -> Duration { min(codeTTL, createdAt + Self.longestLife - now) }

    public func status(at now: Timestamp) -> VerificationStatus {
        recordedStatus == .pending && !isUnexpired(at: now) ? .expired : recordedStatus
    }

    /// If a clock that ran ahead created it, its end may be far away; it is expired all the same once the clock was
    /// corrected by more than the tolerance.
    private func isUnexpired(at now: Timestamp) -> Bool { now < end && now > createdAt - Self.clockTolerance }

    /// How far ahead a clock may have been that created or approved a verification which still counts.
    public static let clockTolerance: Duration = .seconds(300)

    /// Records the expiry, so that neither a clock set back later revives the code, nor the arrival of the time at
    /// which a clock that ran ahead created it. Returns whether anything changed and must be saved.
    public mutating func close(at now: Timestamp) -> Bool {
        guard recordedStatus == .pending, !isUnexpired(at: now) else { return false }
        recordedStatus = .expired
        return true
    }

    /// Whether a request for a code by its owner still concerns this verification rather than a new one: while it is
    /// pending, and while it is locked, since a new one would bring new checks.
    public func isLive(at now: Timestamp) -> Bool {
        isUnexpired(at: now) && (recordedStatus == .pending || recordedStatus == .maxAttemptsReached)
    }

    public var codeContext: CodeContext { CodeContext(verificationID: id, e164: phoneNumber.e164) }

    /// When a code can be sent to its number again, as far as this verification knows: limits on the number or the
    /// address may refuse it for longer. Nil once an account was made with it.
    public var resendableFrom: Timestamp? {
        guard consumedBy == nil else { return nil }
        switch recordedStatus {
        case .pending, .maxAttemptsReached: return max(nextSendAt, resendRefusal()?.retryAt ?? nextSendAt)
        case .approved, .canceled, .expired, .failed: return nextSendAt
        }
    }

    func resendRefusal() -> PhoneFailure? {
        if recordedStatus == .maxAttemptsReached { return .maxChecksReached(retryAt: end) }
        if sendsLeft <= 0 { return .maxSendsReached(retryAt: end) }
        return nil
    }

    /// Whether a message carried its code. While none did, no code matches: nobody has it, and whoever submits one
    /// guesses.
    var isCodeSent: Bool { checksLeftAtSend != nil }

    /// Whether a code was compared that only this message can have carried, which no gateway has accepted yet. If none
    /// ever does, the message still counts: otherwise such guesses would be free.
    public func isGuessedUnsent(in message: OutboxMessage) -> Bool {
        (acceptedAt == nil || isAcceptanceAssumed(of: message)) && checksLeftAtSend.map { checksLeft < $0 } ?? false
    }

    /// The client brought another code of its own, which nobody has yet.
    mutating func setCustomCode(_ code: SealedCode) {
        self.code = code
        hasCustomCode = true
        (acceptedAt, checksLeftAtSend) = (nil, nil)
    }

    /// A message was queued. From then on the code counts, not from when a gateway has accepted it: the person may
    /// have the code before that is recorded.
    ///
    /// - Parameter isWithheld: whether it goes to no gateway (``OutboxMessage/isWithheld``).
    mutating func recordSend(at now: Timestamp, nextSendAt: Timestamp, isWithheld: Bool = false) {
        sendsLeft -= 1
        sentAt = now
        self.nextSendAt = nextSendAt
        if !isWithheld { checksLeftAtSend = checksLeft }
    }

    /// The process that has queued its first message hands it to a gateway at once, which nearly always accepts it
    /// within the first step. That is taken for granted, so that nothing is written twice: the message's result changes
    /// the verification only where it went otherwise.
    ///
    /// - Parameter lease: how long that process has for it. A code that lives for less could end before the result is
    ///   known, so nothing is taken for granted of it.
    mutating func assumeAcceptance(within lease: Duration) {
        if codeTTL >= lease { recordAcceptance(at: sentAt) }
    }

    private func isAcceptanceAssumed(of message: OutboxMessage) -> Bool {
        acceptedAt == createdAt && message.createdAt == createdAt
    }

    /// No gateway has a message yet, if one ever gets it. Returns whether its acceptance was taken for granted.
    @discardableResult
    mutating func recordWait(of message: OutboxMessage) -> Bool {
        guard isAcceptanceAssumed(of: message) else { return false }
        acceptedAt = nil
        return true
    }

    /// No gateway accepted a message. If it was the last, the verification fails unless the person can have the code by
    /// another channel.
    mutating func recordRefusal(of message: OutboxMessage, at now: Timestamp) {
        let wasAssumed = recordWait(of: message)
        let isLast = sentAt == message.createdAt
        // Another that a gateway has accepted, or will, carries the code.
        guard isLast || wasAssumed, acceptedAt == nil, recordedStatus == .pending else { return }
        checksLeftAtSend = nil
        if isLast, fallbacks.isEmpty { fail(at: now) }
    }

    /// Whether its code may go by the next channel, once this message has failed; not if the person has another one by
    /// then, or needs none any more.
    func canMoveOn(from message: OutboxMessage, at now: Timestamp) -> Bool {
        id == message.verificationID && sentAt == message.createdAt && !message.isWithheld
            && status(at: now) == .pending && !fallbacks.isEmpty
    }

    /// The next message goes by the first of the ``fallbacks``; none goes by another than these.
    mutating func moveOn() {
        guard !fallbacks.isEmpty else { return }
        channel = fallbacks.removeFirst()
    }

    /// A gateway accepted a message: from now on the code lives for its ``codeTTL``, and 10 minutes from its creation
    /// at most.
    ///
    /// The delay counts in steps of five seconds. Otherwise the expiry would reveal whether there was a gateway or the
    /// message was silently suppressed.
    ///
    /// - Parameter isCodeSent: whether the gateway may have the message.
    mutating func recordAcceptance(at now: Timestamp, isCodeSent: Bool = false) {
        let steps = max(1, (max(.zero, now - createdAt) / Self.acceptanceStep).rounded(.up))
        let isAsAssumed = steps == 1 && acceptedAt == createdAt && sentAt == createdAt
        if !isAsAssumed { acceptedAt = max(now, sentAt) }
        // None did, as far as was known, if it was given up before.
        if isCodeSent { checksLeftAtSend = checksLeftAtSend ?? checksLeft }
        guard recordedStatus == .pending else { return }
        let accepted = createdAt + Self.acceptanceStep * steps
        expiresAt = max(expiresAt, min(accepted + codeTTL, createdAt + Self.longestLife))
    }

    private static let acceptanceStep: Duration = .seconds(5)

    public func checkRefusal(at now: Timestamp) -> PhoneFailure? {
        switch status(at: now) {
        case .pending: nil
        case .expired: .codeExpired
        case .maxAttemptsReached: isUnexpired(at: now) ? .maxChecksReached(retryAt: end) : .codeExpired
        case .approved, .canceled, .failed: .verificationClosed
        }
    }

    /// Why somebody may check no more codes whose share of the checks is used up, though there are checks left.
    func shareRefusal(of guesser: ClientOrigin, policy: VerificationPolicy) -> PhoneFailure? {
        let share = policy.checkShare
        guard guessers.count(where: { $0 == guesser }) >= share.quota else { return nil }
        return .rateLimited(policies: [share], retryAt: end)
    }

    /// Takes one check away before anything is compared: whatever goes wrong in the comparison, it was counted.
    mutating func countCheck() { checksLeft = max(0, checksLeft - 1) }

    mutating func recordMismatch(at now: Timestamp, by guesser: ClientOrigin?) {
        if let guesser { guessers.append(guesser) }
        guard checksLeft <= 0 else { return }
        recordedStatus = .maxAttemptsReached
        // Neither the same code nor a new one goes out before this verification ends.
        nextSendAt = end
        updatedAt = now
    }

    mutating func approve(at now: Timestamp, for caller: ClientOrigin) {
        recordedStatus = .approved
        updatedAt = now
        repeatableBy = caller
    }

    /// Whether the answer, an approval or what it was used for, may be repeated to this client.
    func isRepeatable(by caller: ClientOrigin, at now: Timestamp) -> Bool {
        repeatableBy == caller && isRepeatable(at: now)
    }

    /// The same for whoever got it, known by other means.
    public func isRepeatable(at now: Timestamp) -> Bool {
        recordedStatus == .approved && repeatableBy != nil
            && updatedAt - Self.clockTolerance < now && now < updatedAt + Self.repeatTime
    }

    /// How long a client that lost the answer may ask again: a second tap, a retried request. Counted from the arrival
    /// of the first request, which may have waited for the store for ``Swift/Duration/longestDelay``.
    static let repeatTime: Duration = .longestDelay + .seconds(10)

    func useRefusal(at now: Timestamp, approvalTTL: Duration) -> PhoneFailure? {
        switch status(at: now) {
        case .approved where consumedBy == nil: break
        case .expired: return .codeExpired
        case .pending: return .verificationNotApproved
        case .approved, .canceled, .failed, .maxAttemptsReached: return .verificationClosed
        }
        // The second condition rejects an approval from a clock that ran ahead.
        return now < updatedAt + approvalTTL && now > updatedAt - Self.clockTolerance ? nil : .codeExpired
    }

    /// Its failed message is queued once more, and may carry its code. If it failed with the message, it is pending
    /// again.
    package mutating func reopen(for message: OutboxMessage, at now: Timestamp) {
        if !message.isWithheld { checksLeftAtSend = checksLeftAtSend ?? checksLeft }
        guard recordedStatus == .failed else { return }
        recordedStatus = .pending
        updatedAt = now
    }

    package mutating func consume(for account: Account.ID, by caller: ClientOrigin, at now: Timestamp) {
        consumedBy = account
        updatedAt = now
        repeatableBy = caller
    }

    mutating func cancel(at now: Timestamp) {
        recordedStatus = .canceled
        updatedAt = now
    }

    mutating func fail(at now: Timestamp) {
        guard recordedStatus == .pending else { return }
        recordedStatus = .failed
        updatedAt = now
    }
}

/// Raw values are on the wire.
public enum VerificationStatus: String, Sendable, CaseIterable {
    case pending, approved, canceled, expired
    case maxAttemptsReached = "max_attempts_reached"
    case failed
}

extension [Verification] {
    /// The owner's verification that is live at this moment, of those of one number. A clock that was set back can make
    /// two of them live; it is the one that lives longer then.
    public func live(of owner: Owner, at now: Timestamp) -> Verification? {
        filter { $0.owner == owner && $0.isLive(at: now) }
            .max { ($0.expiresAt, $0.id.description) < ($1.expiresAt, $1.id.description) }
    }
}
