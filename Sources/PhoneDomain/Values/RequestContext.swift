/// Who asks, and from where. What is asked is in ``VerificationOptions`` and ``CheckOptions``.
public struct RequestContext: Hashable, Sendable {
    public var owner: Owner
    /// The region whose plan parses a number in national form.
    public var region: Region
    public var language: LanguageTag
    /// The client's address; nil if unknown: on the command line, or when a server asks on a client's behalf without
    /// naming it.
    public var address: ClientAddress?
    /// Whether the client vouches that a person is behind the request, after a challenge of its own.
    public var isVouched: Bool
    /// Whether the client can be asked for a proof.
    public var challenges = ChallengeSupport.none
    public var signals = ClientSignals()
    /// The API key by which the client was recognized, if it was not looked up for this request
    /// (``APIKeys/knownKey(of:)``): whether it is still valid is checked in the command's transaction.
    public var apiKey: APIKey.ID?
    /// Whether anybody may ask so, as people do by a guided signup: by an API whose clients have no secret. Then each
    /// network has its share of a number's messages (``VerificationPolicy/senderQuota``).
    public var isPublic = false

    public init(
        owner: Owner,
        region: Region,
        language: LanguageTag,
        address: ClientAddress? = nil,
        isVouched: Bool = false
    ) {
        (self.owner, self.region, self.language) = (owner, region, language)
        (self.address, self.isVouched) = (address, isVouched)
    }

    /// The owner of a verification, where nobody asks at the moment.
    public init(of verification: Verification) {
        self.init(
            owner: verification.owner,
            region: verification.phoneNumber.region,
            language: verification.language
        )
    }
}

/// What else distinguishes the client that asks, as it or the server between says. Anybody can make these up, so they
/// only add limits (``LimitPolicy/sendsByDevice``). They are stored as keyed digests alone.
public struct ClientSignals: Hashable, Sendable {
    /// Identifies an installation of an app, for as long as that lasts.
    public var deviceID: String?
    /// Such as `ios`, `android` or `web`.
    public var platform: String?
    public var userAgent: String?
    /// The fingerprint of the TLS client (https://github.com/FoxIO-LLC/ja4), as a proxy in front knows it.
    public var ja4: String?
    /// The longest of each, in bytes.
    public static let longest = 1024

    public init(deviceID: String? = nil, platform: String? = nil, userAgent: String? = nil, ja4: String? = nil) {
        (self.deviceID, self.platform, self.userAgent, self.ja4) = (deviceID, platform, userAgent, ja4)
    }

    /// What distinguishes a kind of client from others, though not one client from the next; nil if nothing is known.
    var fingerprint: String? {
        let parts = [platform, userAgent, ja4]
        return parts.contains { $0 != nil } ? parts.map { $0 ?? "" }.joined(separator: "\n") : nil
    }
}

/// What a request for a code brings beside the number; without it everything is as the service's settings have it.
public struct VerificationOptions: Hashable, Sendable {
    /// How the code is to be sent; nil for the order of the number's country (``Routes/channels(to:)``), and the next
    /// channel where one fails.
    public var channel: Channel?
    /// Whether the next channel is to be taken now (``Verification/fallbacks``).
    public var movesOn = false
    /// The answer to a challenge.
    public var proof: ChallengeProof?
    /// What the person typed into the phone field of the signup that asks, if the request brought it.
    public var phoneText: String?
    /// The code's length, within ``VerificationCode/lengths``; nil for the policy's.
    public var codeLength: Int?
    /// The code itself, if the client brings one. It replaces that of a live verification too.
    public var code: VerificationCode?
    public var wording: MessageWording?
    /// The limits of the message beside the service's own.
    public var limits: [LimitRule] = []
    /// The waits between messages (``VerificationPolicy/resendCooldowns``); nil for the policy's.
    public var resendCooldowns: [Duration]?
    /// Whether the message goes out whatever the number's country, and whatever the guard thinks of its traffic. What
    /// an operator has blocked stays blocked.
    public var isSafeListed = false
    /// Whether a new verification takes the place of the owner's live one of the number, which is canceled, even if its
    /// checks are used up; else that one's code is sent again.
    public var replacesLive = false

    public init(
        channel: Channel? = nil,
        proof: ChallengeProof? = nil,
        codeLength: Int? = nil,
        resendCooldowns: [Duration]? = nil
    ) {
        (self.channel, self.proof) = (channel, proof)
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
