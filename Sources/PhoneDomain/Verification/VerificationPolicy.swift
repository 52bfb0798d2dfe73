/// The rules by which a number is proven: how long codes are and live, how often they may be sent and checked, and
/// which numbers may have one. The standard values are explained at each property.
public struct VerificationPolicy: Hashable, Sendable {
    /// Digits in a code, 4 to 10. Standard: 6, at 19.9 bits the least that NIST SP 800-63B allows.
    public let codeLength: Int
    /// How long a code lives once a gateway has taken its message, over 0 and at most 10 minutes. Standard: 10 minutes.
    /// However late that is and however often it is sent again, 10 minutes after its creation it is dead (NIST SP 800-63B
    /// section 5.1.3.2).
    public let codeTTL: Duration
    /// How long an approval may be used to sign up, over 0 and at most an hour. Standard: 10 minutes.
    public let approvalTTL: Duration
    /// How many codes may be compared with the right one, 1 to 10; a resend brings none back. Standard: 5.
    public let maxChecks: Int
    /// How often a verification's code may be sent, the first time counted, 1 to 20. Standard: 5.
    public let maxSends: Int
    /// How long to wait after the first, the second, … message to a number before the next; the last one holds for
    /// all that follow. Standard: 30 s, 60 s, 120 s, 300 s.
    public let resendCooldowns: [Duration]
    /// How many messages a number may get within any 24 hours, whoever asks for them, 1 to 100. Standard: 10.
    public let maxSendsPerNumberPerDay: Int
    /// After so many wrong codes in a row a number is closed for ``failureLockout``, 1 to 100, the most that NIST
    /// SP 800-63B section 5.2.2 allows. Standard: 100.
    public let maxConsecutiveFailures: Int
    /// How long a number stays closed after the last of ``maxConsecutiveFailures``. Standard: a day.
    public let failureLockout: Duration
    /// The regions whose numbers may have a code; any other is refused. Standard: Korea.
    public let allowedRegions: Set<Region>
    /// The kinds of number that may have a code. Standard: mobile numbers, and those of which the plan does not tell
    /// whether they are mobile, as in North America; the others cannot receive a text message, or do not prove that one
    /// person holds them (NIST SP 800-63B section 5.1.3.1 on VoIP).
    public let acceptedKinds: Set<NumberKind>

    /// The standard policy.
    public static let standard = VerificationPolicy(
        validatedCodeLength: 6,
        codeTTL: .seconds(600),
        approvalTTL: .seconds(600),
        maxChecks: 5,
        maxSends: 5,
        resendCooldowns: [.seconds(30), .seconds(60), .seconds(120), .seconds(300)],
        maxSendsPerNumberPerDay: 10,
        maxConsecutiveFailures: 100,
        failureLockout: .seconds(86_400),
        allowedRegions: [.korea],
        acceptedKinds: [.mobile, .fixedLineOrMobile]
    )

    /// A policy of these values, each standard unless given.
    ///
    /// - Throws: ``PolicyError`` for a value out of its range, which each property names.
    public init(
        codeLength: Int = standard.codeLength,
        codeTTL: Duration = standard.codeTTL,
        approvalTTL: Duration = standard.approvalTTL,
        maxChecks: Int = standard.maxChecks,
        maxSends: Int = standard.maxSends,
        resendCooldowns: [Duration] = standard.resendCooldowns,
        maxSendsPerNumberPerDay: Int = standard.maxSendsPerNumberPerDay,
        maxConsecutiveFailures: Int = standard.maxConsecutiveFailures,
        failureLockout: Duration = standard.failureLockout,
        allowedRegions: Set<Region> = standard.allowedRegions,
        acceptedKinds: Set<NumberKind> = standard.acceptedKinds
    ) throws(PolicyError) {
        try Self.require(VerificationCode.lengths.contains(codeLength), "codeLength", "4 to 10 digits")
        try Self.require(codeTTL > .zero && codeTTL <= .seconds(600), "codeTTL", "more than 0 and at most 600 seconds")
        try Self.require(
            approvalTTL > .zero && approvalTTL <= .seconds(3600),
            "approvalTTL",
            "more than 0 and at most 3600 seconds"
        )
        try Self.require((1...10).contains(maxChecks), "maxChecks", "1 to 10")
        try Self.require((1...20).contains(maxSends), "maxSends", "1 to 20")
        try Self.require(
            !resendCooldowns.isEmpty && resendCooldowns.allSatisfy { (.zero ... .seconds(3600)).contains($0) },
            "resendCooldowns",
            "one or more durations of 0 to 3600 seconds"
        )
        try Self.require((1...100).contains(maxSendsPerNumberPerDay), "maxSendsPerNumberPerDay", "1 to 100")
        try Self.require((1...100).contains(maxConsecutiveFailures), "maxConsecutiveFailures", "1 to 100")
        try Self.require(
            (.zero ... .seconds(30 * 86_400)).contains(failureLockout),
            "failureLockout",
            "0 to 2592000 seconds"
        )
        try Self.require(!allowedRegions.isEmpty, "allowedRegions", "one or more regions")
        try Self.require(!acceptedKinds.isEmpty, "acceptedKinds", "one or more kinds of number")
        self.init(
            validatedCodeLength: codeLength,
            codeTTL: codeTTL,
            approvalTTL: approvalTTL,
            maxChecks: maxChecks,
            maxSends: maxSends,
            resendCooldowns: resendCooldowns,
            maxSendsPerNumberPerDay: maxSendsPerNumberPerDay,
            maxConsecutiveFailures: maxConsecutiveFailures,
            failureLockout: failureLockout,
            allowedRegions: allowedRegions,
            acceptedKinds: acceptedKinds
        )
    }

    /// The policy on a tenant's terms, whose values are in their ranges; the same without any.
    func on(_ terms: VerificationTerms?) -> VerificationPolicy {
        guard let terms else { return self }
        return VerificationPolicy(
            validatedCodeLength: terms.codeLength,
            codeTTL: codeTTL,
            approvalTTL: approvalTTL,
            maxChecks: maxChecks,
            maxSends: maxSends,
            resendCooldowns: terms.resendCooldowns ?? resendCooldowns,
            maxSendsPerNumberPerDay: maxSendsPerNumberPerDay,
            maxConsecutiveFailures: maxConsecutiveFailures,
            failureLockout: failureLockout,
            allowedRegions: allowedRegions,
            acceptedKinds: acceptedKinds
        )
    }

    private init(
        validatedCodeLength codeLength: Int,
        codeTTL: Duration,
        approvalTTL: Duration,
        maxChecks: Int,
        maxSends: Int,
        resendCooldowns: [Duration],
        maxSendsPerNumberPerDay: Int,
        maxConsecutiveFailures: Int,
        failureLockout: Duration,
        allowedRegions: Set<Region>,
        acceptedKinds: Set<NumberKind>
    ) {
        self.codeLength = codeLength
        self.codeTTL = codeTTL
        self.approvalTTL = approvalTTL
        self.maxChecks = maxChecks
        self.maxSends = maxSends
        self.resendCooldowns = resendCooldowns
        self.maxSendsPerNumberPerDay = maxSendsPerNumberPerDay
        self.maxConsecutiveFailures = maxConsecutiveFailures
        self.failureLockout = failureLockout
        self.allowedRegions = allowedRegions
        self.acceptedKinds = acceptedKinds
    }

    private static func require(_ holds: Bool, _ name: String, _ range: String) throws(PolicyError) {
        guard holds else { throw PolicyError(name: name, range: range) }
    }

    /// ``maxSendsPerNumberPerDay``, as whoever is refused by it is told.
    public var sendQuota: QuotaPolicy {
        QuotaPolicy(name: "number-day", quota: maxSendsPerNumberPerDay, window: .seconds(86_400))
    }

    /// How many of ``maxSendsPerNumberPerDay`` a person without a key may have sent from one address to a number that was not
    /// proven from there: half, rounded up. So nobody uses up a stranger's day alone.
    public var senderQuota: QuotaPolicy {
        QuotaPolicy(
            name: "address-number-day",
            quota: (maxSendsPerNumberPerDay + 1) / 2,
            window: .seconds(86_400)
        )
    }

    /// ``maxConsecutiveFailures``, as whoever is refused by it is told.
    public var failureQuota: QuotaPolicy {
        QuotaPolicy(name: "number-failures", quota: maxConsecutiveFailures, window: failureLockout)
    }

    /// The wait after the `count`th message, counted from 1.
    func cooldown(after count: Int) -> Duration {
        resendCooldowns[min(max(count, 1), resendCooldowns.count) - 1]
    }
}
