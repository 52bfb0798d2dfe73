public import PhoneNumbers

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
    /// (`APIKeys.knownKey(of:)`): whether it is still valid is checked in the command's transaction.
    public var apiKey: APIKey.ID?
    /// Whether anybody may ask so, by an API whose clients have no secret. Then each network has its share of a number's
    /// messages (``VerificationPolicy/senderQuota``), as with people's guided signups, and of a verification's checks
    /// (``VerificationPolicy/checkShare``).
    public var isPublic = false
    /// What the client's repetition of the request has as well (``Verification/lastRequest``).
    public var idempotencyKey: IdempotencyKey?

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
