import PhoneNumbers
public import PhoneSignup

/// How the guard against toll fraud judges. A fraudster who is paid for messages to numbers of their own has them sent
/// by the thousand and never types a code; people do. The guard compares the two, by prefix and by country, and by the
/// networks from which messages are asked for.
public struct GuardPolicy: Hashable, Sendable {
    public enum Mode: String, Sendable, CaseIterable {
        case off
        /// Only observes: what it would suppress goes out with the verdict `shadow`.
        case shadow
        case enforce
    }

    /// How soon it doubts. What each refuses is measured by `scripts/measure/fraud`.
    public enum Level: String, Sendable, CaseIterable {
        case off
        /// It stops only what is an attack beyond doubt.
        case basic
        case standard
        /// While an attack is on that `standard` lets through too much of.
        case max
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
    /// first of them has typed the code. From a network it takes as many, from the /56 and the
    /// /48 of an IPv6 address twice as many.
    public private(set) var prefixSample = 20
    /// The share of approvals, in percent of messages, under which a prefix or a network is suppressed, 1 to 90.
    /// Standard: 15; with people it is 60 to 90. At 25 an attacker has to type a quarter of the codes, but in the
    /// simulation of pumping three times as many people have to wait, amid an attack and where many come at once.
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
    /// How hard the challenges are that let a message out; nil where none are made. Then only who vouches gets through.
    public var work: WorkPolicy?

    /// How many messages to a prefix are a large enough sample where its country is poor. With none, an attack on a few
    /// prefixes would close a country to everybody for a day, as the simulation of pumping shows: when nobody gets
    /// through nobody can prove anything. With three, people show within minutes that they are there; of those whose
    /// prefix is new three of four type the code, so one prefix in sixty has to wait.
    static let sampleInPoorCountry = 3
    public static let standard = GuardPolicy(uncheckedMode: .enforce)
    public static let off = GuardPolicy(uncheckedMode: .off)
    private init(uncheckedMode mode: Mode) { self.mode = mode }

    public init(level: Level) {
        self.init(uncheckedMode: level == .off ? .off : .enforce)
        switch level {
        case .off, .standard: break
        case .basic:
            (prefixSample, prefixPercent, countrySample, countryPercent) = (40, 10, 1000, 3)
        case .max:
            (prefixSample, prefixPercent, countrySample, countryPercent) = (10, 20, 200, 10)
        }
    }

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

    public func with(_ mode: Mode?) -> GuardPolicy {
        var policy = self
        policy.mode = mode ?? self.mode
        return policy
    }

    /// Decides about a message to a number with this traffic, and updates the traffic: a block may begin, be renewed,
    /// or end.
    ///
    /// A prefix is suppressed by its own traffic; a country only suppresses prefixes that have too little traffic of
    /// their own to judge by. A network is suppressed by its own traffic too, and by that of the wider ones that it is
    /// in, unless it has shown people itself. An address that thousands share has the approvals of thousands.
    ///
    /// Two stages: while what was sent a moment ago may still be approved, a client that vouches for the person or has
    /// solved a challenge gets through (`challenge`), and the next approvals reopen prefix and network by themselves;
    /// later these are closed for ``blockTime`` (`block`), but for the hardest challenge.
    ///
    /// `rules` are the operator's rules that match the number, in any order; `isVouched` says whether the client
    /// vouches that a person asks, `provenWork` what it has solved (``JudgedProof/work``), `isSafeListed` is
    /// ``DialectOptions/isSafeListed``.
    func judge(
        _ traffic: inout NumberTraffic,
        rules: [GuardRule],
        isVouched: Bool = false,
        support: ChallengeSupport = .none,
        provenWork: Int? = nil,
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
        let verdict = judgeTraffic(&traffic, isVouched, support, provenWork: provenWork, at: now)
        guard mode == .shadow, verdict.action != .allow else { return verdict }
        return GuardVerdict(.shadow, verdict.reasons)
    }

    /// What ``judge(_:rules:isVouched:support:provenWork:isSafeListed:at:)`` would decide now, without side effects.
    public func forecast(
        _ traffic: NumberTraffic,
        rules: [GuardRule],
        support: ChallengeSupport = .none,
        at now: Timestamp
    ) -> GuardVerdict {
        var traffic = traffic
        traffic.prune(at: now, blockTime: blockTime)
        return judge(&traffic, rules: rules, support: support, at: now)
    }

    private func judgeTraffic(
        _ traffic: inout NumberTraffic,
        _ isVouched: Bool,
        _ support: ChallengeSupport,
        provenWork: Int?,
        at now: Timestamp
    ) -> GuardVerdict {
        guard let doubt = doubt(about: &traffic, support, provenWork: provenWork, at: now) else {
            let isSmall = traffic.prefix.lastDay(at: now).sent < prefixSample
            return GuardVerdict(.allow, [isSmall ? .sampleSmall : .prefixConversionGood])
        }
        if isVouched, doubt.action == .challenge { return GuardVerdict(.allow, [.vouched] + doubt.reasons) }
        if let work = doubt.work, let provenWork, WorkPolicy.isEnough(provenWork, for: work) {
            return GuardVerdict(.allow, [.proven] + doubt.reasons)
        }
        return doubt
    }

    /// Why the message must not go out for nothing; nil if it may.
    private func doubt(
        about traffic: inout NumberTraffic,
        _ support: ChallengeSupport,
        provenWork: Int?,
        at now: Timestamp
    ) -> GuardVerdict? {
        // A silent block is heard by nobody.
        let hardest = support == .none || answer == .silent ? nil : work?.hardest
        let isProven = hardest.map { WorkPolicy.isEnough(provenWork ?? 0, for: $0) } ?? false
        let reasons = (held: GuardVerdict.Reason.prefixBlocked, new: GuardVerdict.Reason.prefixConversionLow)
        if var verdict = block(&traffic.prefix, sample: prefixSample, reasons, isProven: isProven, at: now) {
            verdict.work = hardest
            return verdict
        }
        // A challenge costs people little who solve it without noticing: it can come earlier.
        let isEarly = support.isAutomatic && work != nil
        let sample = isEarly ? challengeSample : prefixSample
        var network = judgeNetworks(&traffic.networks, sample: sample, isProven: isProven, at: now)
        if network?.action == .block {
            network?.work = hardest
            return network
        }
        let (prefix, country) = (traffic.prefix.lastDay(at: now), traffic.country.lastDay(at: now))
        let isUnknown =
            isEarly
            ? !prefix.isConverting(minimum: 1, percent: prefixPercent)
            : prefix.isPoor(minimum: Self.sampleInPoorCountry, percent: prefixPercent)
        let isRemembered = prefix.sent < minimum(0, for: traffic.prefix, at: now)
        let isPoorCountry =
            country.isPoor(minimum: minimum(countrySample, for: traffic.country, at: now), percent: countryPercent)
            || traffic.country.ripe(at: now).isPoor(minimum: countrySample, percent: countryPercent)
        // The approvals of people must not pay for an attack on their prefix, where a challenge is all that it takes.
        let isAmidPeople = isEarly && prefix.sent - prefix.approved >= prefixSample
        var doubt =
            if isAmidPeople
                || prefix.isPoor(minimum: minimum(sample, for: traffic.prefix, at: now), percent: prefixPercent)
            {
                challenge(.prefixConversionPending, at: now)
            } else if isUnknown, !isRemembered, isPoorCountry {
                challenge(.countryConversionLow, at: now)
            } else {
                network
            }
        guard support != .none, let work else { return doubt }
        // Five steps for each sample beyond the first.
        func steps(_ day: Traffic.Sample, _ sample: Int, _ percent: Int) -> Int {
            day.excess(over: sample, percent: percent) * 5 / sample
        }
        let ofNetworks = traffic.networks.map {
            steps($0.traffic.lastDay(at: now), sample * $0.key.allowance, prefixPercent)
        }
        doubt?.work = work.work(
            steps: steps(prefix, sample, prefixPercent) + steps(country, countrySample, countryPercent)
                + (ofNetworks.max() ?? 0)
        )
        return doubt
    }

    /// How many messages are enough to ask clients for a challenge that solve it by themselves.
    private var challengeSample: Int { (prefixSample + 1) / 2 }

    /// Nil where the networks are no reason to suppress the message. A narrow one that people have come from is not
    /// judged by the wider ones, which it may share with others. One approval is enough for that: a client that spreads its
    /// sends over many narrow networks would need approvals in each, which raise the share of the wider one as well.
    ///
    /// `sample` is that of a challenge.
    private func judgeNetworks(
        _ networks: inout [KeyedTraffic],
        sample: Int,
        isProven: Bool,
        at now: Timestamp
    ) -> GuardVerdict? {
        var doubt: GuardVerdict?
        for index in networks.indices {
            let key = networks[index].key
            let reasons = (held: GuardVerdict.Reason.networkBlocked, new: GuardVerdict.Reason.networkConversionLow)
            if let verdict = block(
                &networks[index].traffic,
                sample: prefixSample * key.allowance,
                reasons,
                of: key,
                isProven: isProven,
                at: now
            ) {
                return verdict
            }
            let day = networks[index].traffic.lastDay(at: now)
            if day.isConverting(minimum: 1, percent: prefixPercent) { break }
            if day.sent >= sample * key.allowance {
                doubt = doubt ?? challenge(.networkConversionPending, of: key, at: now)
            }
        }
        return doubt
    }

    private func challenge(
        _ reason: GuardVerdict.Reason,
        of network: TrafficKey? = nil,
        at now: Timestamp
    ) -> GuardVerdict {
        GuardVerdict(.challenge, [reason], of: network, retryAt: now + Verification.longestLife)
    }

    /// The block that is in force, which this renews, or that begins now, since too few of the messages that had the
    /// time to led to an approval; nil if there is none. One that is over ends.
    private func block(
        _ traffic: inout Traffic,
        sample: Int,
        _ reasons: (held: GuardVerdict.Reason, new: GuardVerdict.Reason),
        of network: TrafficKey? = nil,
        isProven: Bool,
        at now: Timestamp
    ) -> GuardVerdict? {
        let isHeld = traffic.isBlocked(at: now)
        if isHeld {
            // In shadow the message is sent, and for the hardest challenge.
            if mode != .shadow, !isProven { traffic.recordRefusal(at: now, renewingAfter: sample, for: blockTime) }
        } else {
            if traffic.blockedUntil != nil { traffic.unblock() }
            guard traffic.ripe(at: now).isPoor(minimum: sample, percent: prefixPercent) else { return nil }
            traffic.block(from: now, for: blockTime)
        }
        return GuardVerdict(.block, [isHeld ? reasons.held : reasons.new], of: network, retryAt: traffic.blockedUntil)
    }
}

/// What the guard against toll fraud decides about one request for a message, and why.
public struct GuardVerdict: Hashable, Sendable {
    public enum Action: String, Sendable, CaseIterable {
        case allow
        /// The message goes out, but would not if the guard did more than observe.
        case shadow
        /// The message goes out only if the client vouches for the person, or solves a challenge.
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
        case networkBlocked = "network_blocked"
        /// Too few of the messages that were asked for from the client's network led to an approval, although they had
        /// the time to.
        case networkConversionLow = "network_conversion_low"
        /// Too few of the messages that were asked for from the client's network have led to an approval so far.
        case networkConversionPending = "network_conversion_pending"
        case sampleSmall = "sample_small"
        case vouched
        /// The client has solved a challenge.
        case proven
        /// The operator's hook refused the message, wanted a proof, or vouched.
        case hookDenied = "hook_denied"
        case hookChallenged = "hook_challenged"
        case hookVouched = "hook_vouched"
        /// Only the operator's own app causes messages (``AppVerifier/isRequired``).
        case appRequired = "app_required"
    }

    public let action: Action
    /// The weightiest first; never empty.
    public let reasons: [Reason]
    /// When the same request may succeed, where the message does not go out.
    public let retryAt: Timestamp?
    /// The network that is the reason; nil where the number is.
    public let network: TrafficKey?
    /// The work that lets the message out; nil where none does.
    public internal(set) var work: Int?

    init(_ action: Action, _ reasons: [Reason], of network: TrafficKey? = nil, retryAt: Timestamp? = nil) {
        (self.action, self.reasons, self.network, self.retryAt) = (action, reasons, network, retryAt)
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

    /// Nil unless the prefix is `+` and 1 to 15 ASCII digits.
    public init?(prefix: String, action: Action, until: Timestamp?, createdAt: Timestamp) {
        guard prefix.isNumberPrefix else { return nil }
        (self.prefix, self.action, self.until, self.createdAt) = (prefix, action, until, createdAt)
    }

    public func isInForce(at now: Timestamp) -> Bool { until.map { $0 > now } ?? true }

    /// What rules that fit a number, or all numbers of a prefix, may be called; the shortest first.
    public static func prefixes(of e164: String) -> [String] {
        let bytes = e164.utf8
        guard bytes.count >= 2 else { return [] }
        return (2...min(16, bytes.count)).map { String(decoding: bytes.prefix($0), as: UTF8.self) }
    }
}

extension String {
    /// Whether E.164 numbers may begin so: `+` and 1 to 15 ASCII digits.
    var isNumberPrefix: Bool {
        utf8.first == UInt8(ascii: "+") && 2...16 ~= utf8.count && utf8.dropFirst().allSatisfy(\.isASCIIDigit)
    }
}
