public import PhoneNumbers
import PhoneSignup

/// The rules of a verification: the length and life of codes, how often they are sent and checked, and to which
/// numbers.
public struct VerificationPolicy: Hashable, Sendable {
    /// Digits in a code, 4 to 10. Standard: 6, at 19.9 bits the least that NIST SP 800-63B allows.
    public private(set) var codeLength = 6
    /// How long a code lives once a gateway has accepted its message, over 0 and at most 10 minutes. Standard: 10
    /// minutes. However late that is and however often it is sent again, it expires 10 minutes after its creation (NIST
    /// SP 800-63B section 5.1.3.2).
    public private(set) var codeTTL: Duration = .seconds(600)
    /// How long an approval may be used to sign up, over 0 and at most an hour. Standard: 10 minutes.
    public private(set) var approvalTTL: Duration = .seconds(600)
    /// How many codes may be compared with the right one, 1 to 10; a resend restores none. Standard: 5.
    public private(set) var maxChecks = 5
    /// How often a verification's code may be sent, including the first time, 1 to 20. Standard: 5.
    public private(set) var maxSends = 5
    /// The wait after the first, the second, … message to a number before the next; the last applies to all that
    /// follow. Standard: 30 s, 60 s, 120 s, 300 s.
    public private(set) var resendCooldowns: [Duration] = [.seconds(30), .seconds(60), .seconds(120), .seconds(300)]
    /// How many messages a number may receive within any 24 hours, over all owners, 1 to 100. Standard: 10.
    public private(set) var maxSendsPerNumberPerDay = 10
    /// After this many wrong codes in a row a number is locked for ``failureLockout``, 1 to 100, the most that NIST SP
    /// 800-63B section 5.2.2 allows. Standard: 100.
    public private(set) var maxConsecutiveFailures = 100
    /// How long a number stays locked after the last of ``maxConsecutiveFailures``. Standard: a day.
    public private(set) var failureLockout: Duration = .seconds(86_400)
    /// The regions whose numbers may receive a code. Standard: Korea.
    public private(set) var allowedRegions: Set<Region> = [.korea]
    /// The kinds of number that may receive a code. Standard: mobile numbers, and those that the plan does not
    /// distinguish from fixed lines, as in North America; the others cannot receive a text message, or do not prove
    /// that one person holds them (NIST SP 800-63B section 5.1.3.1 on VoIP).
    public private(set) var acceptedKinds: Set<NumberKind> = [.mobile, .fixedLineOrMobile]
    public static let standard = VerificationPolicy(standard: ())
    private init(standard: Void) {}

    /// Throws ``PolicyError`` for a value out of the range that its property names.
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
        try require(VerificationCode.lengths.contains(codeLength), "codeLength", "4 to 10 digits")
        try require(codeTTL > .zero && codeTTL <= .seconds(600), "codeTTL", "more than 0 and at most 600 seconds")
        try require(
            approvalTTL > .zero && approvalTTL <= .seconds(3600),
            "approvalTTL",
            "more than 0 and at most 3600 seconds"
        )
        try require((1...10).contains(maxChecks), "maxChecks", "1 to 10")
        try require((1...20).contains(maxSends), "maxSends", "1 to 20")
        try require(
            !resendCooldowns.isEmpty && resendCooldowns.allSatisfy { (.zero ... .seconds(3600)).contains($0) },
            "resendCooldowns",
            "one or more durations of 0 to 3600 seconds"
        )
        try require((1...100).contains(maxSendsPerNumberPerDay), "maxSendsPerNumberPerDay", "1 to 100")
        try require((1...100).contains(maxConsecutiveFailures), "maxConsecutiveFailures", "1 to 100")
        try require((.zero ... .seconds(2_592_000)).contains(failureLockout), "failureLockout", "0 to 2592000 seconds")
        try require(!allowedRegions.isEmpty, "allowedRegions", "one or more regions")
        try require(!acceptedKinds.isEmpty, "acceptedKinds", "one or more kinds of number")
        self.codeLength = codeLength
        (self.codeTTL, self.approvalTTL) = (codeTTL, approvalTTL)
        (self.maxChecks, self.maxSends, self.resendCooldowns) = (maxChecks, maxSends, resendCooldowns)
        self.maxSendsPerNumberPerDay = maxSendsPerNumberPerDay
        (self.maxConsecutiveFailures, self.failureLockout) = (maxConsecutiveFailures, failureLockout)
        (self.allowedRegions, self.acceptedKinds) = (allowedRegions, acceptedKinds)
    }

    /// The policy with a dialect's options, whose values are in their ranges.
    func with(_ options: DialectOptions) -> VerificationPolicy {
        var policy = self
        policy.codeLength = options.codeLength ?? codeLength
        policy.resendCooldowns = options.resendCooldowns ?? resendCooldowns
        return policy
    }

    /// The policy with other regions.
    public func allowing(_ regions: Set<Region>) -> VerificationPolicy {
        var policy = self
        policy.allowedRegions = regions
        return policy
    }

    public var sendQuota: QuotaPolicy {
        QuotaPolicy(name: "number-day", quota: maxSendsPerNumberPerDay, window: .seconds(86_400))
    }

    /// How many of ``maxSendsPerNumberPerDay`` a person without a key may request from one address for a number that
    /// was not proven from there: half, rounded up. So nobody uses up a stranger's day alone.
    public var senderQuota: QuotaPolicy {
        QuotaPolicy(name: "address-number-day", quota: (maxSendsPerNumberPerDay + 1) / 2, window: .seconds(86_400))
    }

    /// How many of ``maxChecks`` a network may use of a verification whose checks are bound to no token
    /// (``RequestContext/isPublic``): half, rounded up. So nobody uses up a stranger's checks alone. Networks that have
    /// asked for no message to the number have one share together, since it would cost nothing to come from many.
    public var checkShare: QuotaPolicy {
        QuotaPolicy(name: "address-verification-checks", quota: (maxChecks + 1) / 2, window: Verification.longestLife)
    }

    public var failureQuota: QuotaPolicy {
        QuotaPolicy(name: "number-failures", quota: maxConsecutiveFailures, window: failureLockout)
    }

    /// The wait after the `count`th message, counted from 1.
    func cooldown(after count: Int) -> Duration { resendCooldowns[min(max(count, 1), resendCooldowns.count) - 1] }

    /// Parses a number to which the policy lets a code be sent.
    /// Throws ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    /// ``PhoneFailure/regionNotAllowed(_:allowed:)``.
    public func phoneNumber(in text: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        let number: PhoneNumber
        do {
            number = try PhoneNumber(parsing: text, region: region)
        } catch .unsupportedCallingCode {
            throw refusal(of: nil)
        } catch {
            throw .invalidPhoneNumber(error)
        }
        try accept(number)
        return number
    }

    private func refusal(of region: Region?) -> PhoneFailure {
        .regionNotAllowed(region, allowed: allowedRegions.sorted { $0.description < $1.description })
    }

    /// Throws unless the policy lets a code be sent to the number. With `isSafeListed` its country does not matter.
    package func accept(_ number: PhoneNumber, isSafeListed: Bool = false) throws(PhoneFailure) {
        guard isSafeListed || allowedRegions.contains(number.region) else { throw refusal(of: number.region) }
        guard acceptedKinds.contains(number.kind) else { throw .kindNotAccepted(number.kind) }
        // Some German landlines.
        guard number.isDialledFromAbroad else { throw .invalidPhoneNumber(.tooLong) }
    }
}

public struct PolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    public let name: String
    public let range: String
    public var description: String { "\(name) must be \(range)" }
}

func require(_ holds: Bool, _ name: String, _ range: String) throws(PolicyError) {
    if !holds { throw PolicyError(name: name, range: range) }
}
