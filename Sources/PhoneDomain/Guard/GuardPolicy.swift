/// How the guard against toll fraud judges. A fraudster who is paid for messages to numbers of their own has them sent
/// by the thousand and never types a code; people do. The guard compares the two, by prefix and by country.
public struct GuardPolicy: Hashable, Sendable {
    public enum Mode: String, Sendable, CaseIterable {
        case off
        /// Only observes: what it would suppress goes out with the verdict `shadow`.
        case shadow
        case enforce
    }

    /// The response to a client whose message a block suppresses.
    public enum Answer: String, Sendable, CaseIterable {
        /// `rate_limited` by the policy `guard-block`.
        case refuse
        /// The same as for a message that goes out.
        case silent
    }

    public private(set) var mode = Mode.enforce
    /// Standard: `refuse`, since a person who is blocked by mistake can only act on an error that is reported.
    public private(set) var answer = Answer.refuse
    /// How many messages to a prefix within a day are a large enough sample, 5 to 100,000. Standard: 20, which is what
    /// an attack on it buys. With fewer, people who come to one prefix all at once are taken for an attack before the
    /// first of them has typed the code.
    public private(set) var prefixSample = 20
    /// The share of approvals, in percent of messages, under which a prefix is suppressed, 1 to 90. Standard: 15; with
    /// people it is 60 to 90. At 25 an attacker has to type a quarter of the codes, but in the simulation of pumping
    /// three times as many people have to wait, amid an attack and where many come at once.
    public private(set) var prefixPercent = 15
    /// How many messages to a country within a day are a large enough sample, 5 to 1,000,000. Standard: 500.
    public private(set) var countrySample = 500
    /// The share under which those prefixes of a country are suppressed that have shown nothing better, 1 to 90.
    /// Standard: 5. It costs an attack on very many prefixes its profit where there are no other clients; where there
    /// are people, their approvals keep the country open, and only limits and the budget hold against an attack that
    /// stays under the sample of each prefix.
    public private(set) var countryPercent = 5
    /// How long a block lasts after its beginning, and after each renewal, 1 minute to 30 days. Standard: 12 hours.
    public private(set) var blockTime: Duration = .seconds(43_200)

    /// How many messages to a prefix are a large enough sample where its country is poor. With none, an attack on a few
    /// prefixes would close a country to everybody for a day, as the simulation of pumping shows: when nobody gets
    /// through nobody can prove anything. With three, people show within minutes that they are there; of those whose
    /// prefix is new three of four type the code, so one prefix in sixty has to wait.
    static let sampleInPoorCountry = 3
    public static let standard = GuardPolicy(uncheckedMode: .enforce)
    public static let off = GuardPolicy(uncheckedMode: .off)
    private init(uncheckedMode mode: Mode) { self.mode = mode }

    /// Throws ``PolicyError`` for a value out of the range that its property names.
    public init(
        mode: Mode = standard.mode,
        answer: Answer = standard.answer,
        prefixSample: Int = standard.prefixSample,
        prefixPercent: Int = standard.prefixPercent,
        countrySample: Int = standard.countrySample,
        countryPercent: Int = standard.countryPercent,
        blockTime: Duration = standard.blockTime
    ) throws(PolicyError) {
        try require((5...100_000).contains(prefixSample), "prefixSample", "5 to 100000 messages")
        try require((1...90).contains(prefixPercent), "prefixPercent", "1 to 90 percent")
        try require((5...1_000_000).contains(countrySample), "countrySample", "5 to 1000000 messages")
        try require((1...90).contains(countryPercent), "countryPercent", "1 to 90 percent")
        try require((.seconds(60) ... .seconds(2_592_000)).contains(blockTime), "blockTime", "60 to 2592000 seconds")
        (self.mode, self.answer, self.blockTime) = (mode, answer, blockTime)
        (self.prefixSample, self.prefixPercent) = (prefixSample, prefixPercent)
        (self.countrySample, self.countryPercent) = (countrySample, countryPercent)
    }

    /// Decides about a message to a number with this traffic, and updates the traffic: a block may begin, be renewed,
    /// or end.
    ///
    /// A prefix is suppressed by its own traffic; a country only suppresses prefixes that have too little traffic of
    /// their own to judge by. Two stages: while what was sent a moment ago may still be approved, a client that vouches
    /// for the person gets through (`challenge`), and the next approvals reopen the prefix by themselves; later the
    /// prefix is closed for ``blockTime`` (`block`).
    ///
    /// `rules` are the operator's rules that match the number, in any order; `isVouched` says whether the client
    /// vouches that a person asks, `isSafeListed` is ``VerificationOptions/isSafeListed``.
    func judge(
        _ traffic: inout NumberTraffic,
        rules: [GuardRule],
        isVouched: Bool,
        isSafeListed: Bool = false,
        at now: Timestamp
    ) -> GuardVerdict {
        let rule = rules.filter { $0.isInForce(at: now) }.max { $0.prefix.utf8.count < $1.prefix.utf8.count }
        if let rule {
            return rule.action == .allow
                ? GuardVerdict(.allow, [.safeListed])
                : GuardVerdict(.block, [.blockListed], retryAt: rule.until ?? now + blockTime)
        }
        if isSafeListed { return GuardVerdict(.allow, [.safeListed]) }
        if mode == .off { return GuardVerdict(.allow, [.guardOff]) }
        let verdict = judgeTraffic(&traffic, isVouched: isVouched, at: now)
        guard mode == .shadow, verdict.action != .allow else { return verdict }
        return GuardVerdict(.shadow, verdict.reasons)
    }

    /// What ``judge(_:rules:isVouched:isSafeListed:at:)`` would decide now, without side effects.
    public func forecast(
        _ traffic: NumberTraffic,
        rules: [GuardRule],
        isVouched: Bool = false,
        at now: Timestamp
    ) -> GuardVerdict {
        var traffic = traffic
        traffic.prune(at: now, blockTime: blockTime)
        return judge(&traffic, rules: rules, isVouched: isVouched, at: now)
    }

    private func judgeTraffic(_ traffic: inout NumberTraffic, isVouched: Bool, at now: Timestamp) -> GuardVerdict {
        if traffic.prefix.isBlocked(at: now) {
            // In shadow the message is sent.
            if mode != .shadow {
                traffic.prefix.recordRefusal(at: now, renewingAfter: prefixSample, for: blockTime)
            }
            return GuardVerdict(.block, [.prefixBlocked], retryAt: traffic.prefix.blockedUntil)
        }
        if traffic.prefix.blockedUntil != nil { traffic.prefix.unblock() }
        if traffic.prefix.ripe(at: now).isPoor(minimum: prefixSample, percent: prefixPercent) {
            traffic.prefix.block(from: now, for: blockTime)
            return GuardVerdict(.block, [.prefixConversionLow], retryAt: traffic.prefix.blockedUntil)
        }
        let prefix = traffic.prefix.lastDay(at: now)
        if prefix.isConverting(minimum: prefixSample, percent: prefixPercent) {
            return GuardVerdict(.allow, [.prefixConversionGood])
        }
        let doubt: GuardVerdict.Reason? =
            if prefix.sent >= prefixSample {
                .prefixConversionPending
            } else if prefix.isPoor(minimum: Self.sampleInPoorCountry, percent: prefixPercent),
                traffic.country.lastDay(at: now).isPoor(minimum: countrySample, percent: countryPercent)
            {
                .countryConversionLow
            } else {
                nil
            }
        guard let doubt else { return GuardVerdict(.allow, [.sampleSmall]) }
        if isVouched { return GuardVerdict(.allow, [.vouched, doubt]) }
        return GuardVerdict(.challenge, [doubt], retryAt: now + Verification.longestLife)
    }
}

/// What the guard against toll fraud decides about one request for a message, and why.
public struct GuardVerdict: Hashable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        case allow
        /// The message goes out, but would not if the guard did more than observe.
        case shadow
        /// The message goes out only if the client vouches for the person.
        case challenge
        case block
    }

    /// Raw values are stored in the audit log.
    public enum Reason: String, Sendable, CaseIterable {
        case guardOff = "guard_off"
        case safeListed = "safe_listed"
        case blockListed = "block_listed"
        case prefixBlocked = "prefix_blocked"
        /// Too few of the prefix's messages led to an approval, although they had the time to.
        case prefixConversionLow = "prefix_conversion_low"
        /// Too few of the prefix's messages have led to an approval so far.
        case prefixConversionPending = "prefix_conversion_pending"
        case prefixConversionGood = "prefix_conversion_good"
        /// Too few of the country's messages led to an approval, and this prefix has shown nothing better.
        case countryConversionLow = "country_conversion_low"
        case sampleSmall = "sample_small"
        case vouched
    }

    public let action: Action
    /// The weightiest first; never empty.
    public let reasons: [Reason]
    /// When the same request may succeed, where the message does not go out.
    public let retryAt: Timestamp?

    init(_ action: Action, _ reasons: [Reason], retryAt: Timestamp? = nil) {
        (self.action, self.reasons, self.retryAt) = (action, reasons, retryAt)
    }
}

/// An operator's decision about some numbers, whatever their traffic.
public struct GuardRule: Hashable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        /// Never suppressed (a safe list).
        case allow
        case block
    }

    /// The beginning of the numbers' E.164 form: `+82`, `+8210123`, or a whole number. The longest match decides.
    public let prefix: String
    public let action: Action
    /// Nil for no expiry.
    public let until: Timestamp?
    public let createdAt: Timestamp
    private static let lengths = 2...16

    /// Nil unless the prefix is `+` and 1 to 15 ASCII digits.
    public init?(prefix: String, action: Action, until: Timestamp?, createdAt: Timestamp) {
        guard prefix.utf8.first == UInt8(ascii: "+"), Self.lengths.contains(prefix.utf8.count),
            prefix.utf8.dropFirst().allSatisfy({ $0.isASCIIDigit })
        else { return nil }
        (self.prefix, self.action, self.until, self.createdAt) = (prefix, action, until, createdAt)
    }

    public func isInForce(at now: Timestamp) -> Bool { until.map { $0 > now } ?? true }

    public static func prefixes(of number: PhoneNumber) -> [String] {
        lengths.filter { $0 <= number.e164.utf8.count }.map { String(number.e164.prefix($0)) }
    }
}
