public import PhoneSignup

/// What a request for a code brings beside the number; without it everything is as the service's settings have it.
public struct VerificationOptions: Hashable, Sendable {
    /// How the code is to be sent; nil for the order of the number's country (``Routes/channels(to:)``), and the next
    /// channel where one fails.
    public var channel: Channel?
    /// The message that has failed, in place of which the code is sent by the next channel (``Verification/fallbacks``),
    /// whatever the cooldown. Nothing is sent if that is not wanted any more.
    public var failedMessage: OutboxMessage?
    /// The answer to a challenge.
    public var proof: ChallengeProof?
    /// What proves the number in place of a message.
    public var numberProof: NumberProof?
    /// What the person typed into the phone field of the signup that asks, if the request brought it.
    public var phoneText: String?
    /// They take the place of those of a live verification, unless there are none.
    public var labels = Labels.none
    /// The limits of the message beside the service's own.
    public var limits: [LimitRule] = []
    public var dialect = DialectOptions()

    public init(
        channel: Channel? = nil,
        proof: ChallengeProof? = nil,
        numberProof: NumberProof? = nil,
        dialect: DialectOptions = DialectOptions()
    ) {
        (self.channel, self.proof, self.numberProof, self.dialect) = (channel, proof, numberProof, dialect)
    }
}

/// What only clients bring that ask in another API's words, by its habits.
public struct DialectOptions: Hashable, Sendable {
    /// The code's length, within ``VerificationCode/lengths``; nil for the policy's.
    public var codeLength: Int?
    /// The code itself, if the client brings one. It replaces that of a live verification too.
    public var code: VerificationCode?
    public var wording: MessageWording?
    /// The waits between messages (``VerificationPolicy/resendCooldowns``); nil for the policy's.
    public var resendCooldowns: [Duration]?
    /// Whether the message goes out whatever the number's country, and whatever the guard thinks of its traffic. What
    /// an operator has blocked stays blocked.
    public var isSafeListed = false
    /// Whether a new verification takes the place of the owner's live one of the number, which is canceled, even if its
    /// checks are used up; else that one's code is sent again.
    public var replacesLive = false

    public init(codeLength: Int? = nil, resendCooldowns: [Duration]? = nil) {
        (self.codeLength, self.resendCooldowns) = (codeLength, resendCooldowns)
    }
}

/// What a check of a code brings beside the code.
public struct CheckOptions: Hashable, Sendable {
    /// The length that codes of this client have; nil for the policy's. With it a code of any length is compared, since
    /// the length may have been another when the code was made.
    public var codeLength: Int?
    /// Whether a client that had the right code a moment ago and sends it again gets the same answer, rather than that
    /// the verification is closed.
    public var repeatsApproval: Bool
    /// The session that is opened if the check signs the person up or changes the number.
    public var opening: SessionOpening?
    /// What was decided about the dormant account of the number.
    public var decision: DormantDecision?

    public init(
        codeLength: Int? = nil,
        repeatsApproval: Bool = true,
        opening: SessionOpening? = nil,
        decision: DormantDecision? = nil
    ) {
        (self.codeLength, self.repeatsApproval) = (codeLength, repeatsApproval)
        (self.opening, self.decision) = (opening, decision)
    }
}
