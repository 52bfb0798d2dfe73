/// A request for a code: begins a verification, or sends the code of a live one again.
///
/// A store loads the ``State``, applies the command, and keeps what it left, all in one transaction in which nobody
/// else sees or changes that state. So the rules are written once, here, and hold over every store alike.
public struct BeginVerification: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The owner's live verification of the number (``Verification/isLive(at:)``), or nil.
        public var live: Verification?
        /// What the number has been through.
        public var activity: NumberActivity
        /// The message to queue, set by the command.
        public var message: OutboxMessage?

        /// The state before the command.
        public init(live: Verification?, activity: NumberActivity) {
            self.live = live
            self.activity = activity
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// A new verification was begun.
        case begun(Verification)
        /// The code of a live one is sent again.
        case resent(Verification)
        /// Nothing is sent.
        case refused(PhoneFailure)
    }

    /// The name of the verification, if a new one is begun.
    public let id: Verification.ID
    /// The name of the message.
    public let messageID: OutboxMessage.ID
    /// The number to be proven, which the policy accepts.
    public let phoneNumber: PhoneNumber
    /// Who asks.
    public let owner: Owner
    /// How to send the code.
    public let channel: Channel
    /// The language of the message.
    public let language: LanguageTag
    /// The code, if a new verification is begun.
    public let code: SealedCode
    /// The rules.
    public let policy: VerificationPolicy
    /// The moment of the request.
    public let now: Timestamp

    /// A request of these parts.
    public init(
        id: Verification.ID,
        messageID: OutboxMessage.ID,
        phoneNumber: PhoneNumber,
        owner: Owner,
        channel: Channel,
        language: LanguageTag,
        code: SealedCode,
        policy: VerificationPolicy,
        now: Timestamp
    ) {
        self.id = id
        self.messageID = messageID
        self.phoneNumber = phoneNumber
        self.owner = owner
        self.channel = channel
        self.language = language
        self.code = code
        self.policy = policy
        self.now = now
    }

    /// Does what was asked, or says why not; a refusal leaves no message.
    public func apply(to state: inout State) -> Outcome {
        state.activity.prune(at: now, policy: policy)
        let live = state.live.flatMap { $0.isLive(at: now) ? $0 : nil }
        if let refusal = live?.resendRefusal() ?? state.activity.refusal(at: now, policy: policy) {
            return .refused(refusal)
        }
        state.activity.recordSend(at: now)
        var verification = live ?? begun()
        verification.recordSend(nextSendAt: state.activity.nextSendAt(policy: policy) ?? now)
        state.live = verification
        state.message = OutboxMessage(id: messageID, verificationID: verification.id, createdAt: now)
        return live == nil ? .begun(verification) : .resent(verification)
    }

    private func begun() -> Verification {
        Verification(
            id: id,
            phoneNumber: phoneNumber,
            owner: owner,
            channel: channel,
            language: language,
            code: code,
            createdAt: now,
            expiresAt: now + policy.codeTTL,
            nextSendAt: now,
            sendsLeft: policy.maxSends,
            checksLeft: policy.maxChecks,
            recordedStatus: .pending,
            updatedAt: now,
            consumedBy: nil
        )
    }
}
