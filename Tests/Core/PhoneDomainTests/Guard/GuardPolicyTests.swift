import PhoneSignup
import Testing

@testable import PhoneDomain

@Suite struct GuardPolicyTests {
    /// The beginning of hour 1000.
    private static let now = Timestamp(seconds: 3_600_000)

    /// What some prefix and country have been through, and what the guard says to it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let prefix: [Traffic.Hour]
        let blockedFor: Int64?
        let country: [Traffic.Hour]
        /// Of the client's /64, /56 and /48.
        let networks: [[Traffic.Hour]]
        let isVouched: Bool
        let verdict: GuardVerdict

        init(
            _ name: String,
            prefix: [Traffic.Hour] = [],
            blockedFor: Int64? = nil,
            country: [Traffic.Hour] = [],
            networks: [[Traffic.Hour]] = [],
            isVouched: Bool = false,
            _ verdict: GuardVerdict
        ) {
            (testDescription, self.prefix, self.blockedFor, self.country) = (name, prefix, blockedFor, country)
            (self.networks, self.isVouched, self.verdict) = (networks, isVouched, verdict)
        }
    }

    private static func hour(_ ago: Int64, _ sent: Int, _ approved: Int) -> Traffic.Hour {
        Traffic.Hour(number: 1000 - ago, sent: sent, approved: approved)
    }

    private static func allowed(_ reasons: GuardVerdict.Reason...) -> GuardVerdict { GuardVerdict(.allow, reasons) }

    private static func challenged(_ reason: GuardVerdict.Reason, of network: String = "") -> GuardVerdict {
        GuardVerdict(.challenge, [reason], of: self.network(network), retryAt: now + .seconds(600))
    }

    private static func blocked(
        _ reason: GuardVerdict.Reason,
        of network: String = "",
        for seconds: Int64 = 43_200
    ) -> GuardVerdict {
        GuardVerdict(.block, [reason], of: self.network(network), retryAt: now + .seconds(seconds))
    }

    static let cases = [
        Case("nothing is known", allowed(.sampleSmall)),
        Case("19 unproven", prefix: [hour(5, 19, 0)], allowed(.sampleSmall)),
        Case("20 unproven just now", prefix: [hour(0, 20, 0)], challenged(.prefixConversionPending)),
        Case(
            "20 unproven just now, vouched",
            prefix: [hour(0, 20, 0)],
            isVouched: true,
            allowed(.vouched, .prefixConversionPending)
        ),
        Case(
            "20 unproven in the last hour, not ripe",
            prefix: [hour(1, 20, 0)],
            challenged(.prefixConversionPending)
        ),
        Case("20 unproven and ripe", prefix: [hour(2, 20, 2)], blocked(.prefixConversionLow)),
        Case(
            "20 unproven and ripe, vouched all the same",
            prefix: [hour(2, 20, 2)],
            isVouched: true,
            blocked(.prefixConversionLow)
        ),
        Case("3 of 20 proven", prefix: [hour(2, 20, 3)], allowed(.prefixConversionGood)),
        Case(
            "old ones unproven and approvals since",
            prefix: [hour(2, 20, 0), hour(0, 0, 3)],
            allowed(.prefixConversionGood)
        ),
        Case("unproven more than a day ago", prefix: [hour(25, 100, 0)], allowed(.sampleSmall)),
        Case("a block holds", prefix: [hour(3, 20, 0)], blockedFor: 60, blocked(.prefixBlocked, for: 60)),
        Case(
            "a block holds, vouched all the same",
            prefix: [hour(3, 20, 0)],
            blockedFor: 60,
            isVouched: true,
            blocked(.prefixBlocked, for: 60)
        ),
        Case(
            "a block has ended, and what led to it is no reason any more",
            prefix: [hour(13, 20, 0)],
            blockedFor: 0,
            allowed(.sampleSmall)
        ),
        Case(
            "a poor country, and nothing known of the prefix",
            country: [hour(0, 500, 0)],
            allowed(.sampleSmall)
        ),
        Case(
            "a poor country, and the prefix may still show that people are there",
            prefix: [hour(0, 2, 0)],
            country: [hour(0, 500, 0)],
            allowed(.sampleSmall)
        ),
        Case(
            "a poor country, and the prefix has shown nothing",
            prefix: [hour(0, 3, 0)],
            country: [hour(0, 500, 24)],
            challenged(.countryConversionLow)
        ),
        Case(
            "a poor country, vouched",
            prefix: [hour(0, 3, 0)],
            country: [hour(0, 500, 24)],
            isVouched: true,
            allowed(.vouched, .countryConversionLow)
        ),
        Case(
            "a country that is just good enough",
            prefix: [hour(0, 3, 0)],
            country: [hour(0, 500, 25)],
            allowed(.sampleSmall)
        ),
        Case(
            "a country of too few messages",
            prefix: [hour(0, 3, 0)],
            country: [hour(0, 499, 0)],
            allowed(.sampleSmall)
        ),
        Case(
            "a poor country and a good prefix",
            prefix: [hour(1, 20, 3)],
            country: [hour(0, 500, 0)],
            allowed(.prefixConversionGood)
        ),
        Case(
            "a poor country and a small prefix that has shown something better",
            prefix: [hour(1, 6, 1)],
            country: [hour(0, 500, 0)],
            allowed(.sampleSmall)
        ),
        Case(
            "a poor country and a small prefix that has not",
            prefix: [hour(1, 7, 1)],
            country: [hour(0, 500, 0)],
            challenged(.countryConversionLow)
        ),
        Case(
            "too few from each network",
            networks: [[hour(2, 19, 0)], [hour(2, 39, 0)], [hour(2, 39, 0)]],
            allowed(.sampleSmall)
        ),
        Case(
            "20 unproven and ripe from a /64",
            networks: [[hour(2, 20, 2)], [], []],
            blocked(.networkConversionLow, of: "2001:db8:1:2::/64")
        ),
        Case(
            "40 unproven just now from a /56, of a good prefix",
            prefix: [hour(1, 20, 3)],
            networks: [[], [hour(0, 40, 5)], [hour(0, 40, 5)]],
            challenged(.networkConversionPending, of: "2001:db8:1::/56")
        ),
        Case(
            "40 unproven just now from a /56, vouched",
            networks: [[], [hour(0, 40, 5)], [hour(0, 40, 5)]],
            isVouched: true,
            allowed(.vouched, .networkConversionPending)
        ),
        Case(
            "40 unproven and ripe from a /48, two from a /64",
            networks: [[hour(2, 2, 0)], [hour(2, 39, 0)], [hour(2, 40, 5)]],
            blocked(.networkConversionLow, of: "2001:db8:1::/48")
        ),
        Case(
            "40 unproven and ripe from a /48, and people of a /64 in it",
            networks: [[hour(2, 6, 1)], [hour(2, 39, 1)], [hour(2, 40, 1)]],
            allowed(.sampleSmall)
        ),
        Case(
            "thousands from one network who type their codes",
            networks: [[hour(2, 2, 0)], [hour(2, 900, 500)], [hour(2, 9000, 1350)]],
            allowed(.sampleSmall)
        ),
    ]

    /// What was approved a week ago, and sent since.
    private static func remembered(_ approved: Int, _ hour: Traffic.Hour) -> Traffic {
        let peaks = approved > 0 ? [Traffic.Peak(day: 34, approved: approved)] : []
        return Traffic(hours: [hour], peaks: peaks)
    }

    /// People who come back all at once are no attack. An attacker who has warmed up a prefix has as many messages as he has
    /// typed codes, once: when they had their time a block begins, which forgets the days.
    @Test(arguments: [
        (0, 19, GuardVerdict.Action.allow), (0, 20, .challenge), (20, 20, .challenge), (39, 38, .allow),
        (39, 39, .challenge),
        (5000, 4999, .allow), (5000, 5000, .challenge),
    ])
    func `as many as were approved on the best day may be sent before the day has approvals`(
        _ approved: Int,
        _ sent: Int,
        _ action: GuardVerdict.Action
    ) {
        func judge(_ ago: Int64) -> (GuardVerdict.Action, Traffic) {
            let prefix = Self.remembered(approved, Self.hour(ago, sent, 0))
            // Many people elsewhere.
            let country = Traffic(hours: [Self.hour(ago, 9000, 5000)])
            var traffic = NumberTraffic(prefix: prefix, country: country)
            let measure = GuardPolicy.standard.measure(traffic, at: Self.now)
            #expect(measure?.prefix == GuardMeasure.Part(sent: sent, approved: 0, budget: max(20, approved)))
            let verdict = GuardPolicy.standard.judge(&traffic, rules: [], at: Self.now)
            return (verdict.action, traffic.prefix)
        }
        #expect(judge(0).0 == action)
        let (ripe, prefix) = judge(2)
        #expect(ripe == (sent < 20 ? .allow : .block))
        #expect(prefix.peaks.isEmpty == (ripe == .block || approved == 0))
    }

    @Test(arguments: [
        (0, 0, 500, GuardVerdict.Action.challenge), (0, 600, 599, .allow), (0, 600, 600, .challenge),
        (3, 600, 600, .challenge), (4, 600, 600, .allow),
    ])
    func `a country that wakes up is judged by its best day, and a prefix of people not by its country`(
        _ prefix: Int,
        _ country: Int,
        _ sent: Int,
        _ action: GuardVerdict.Action
    ) {
        var traffic = NumberTraffic(
            prefix: Self.remembered(prefix, Self.hour(0, 3, 0)),
            country: Self.remembered(country, Self.hour(0, sent, 0))
        )
        #expect(GuardPolicy.standard.judge(&traffic, rules: [], at: Self.now).action == action)
        traffic.prefix = Self.remembered(0, Self.hour(0, 3, 0))
        traffic.country = Self.remembered(country, Self.hour(2, sent, 0))
        #expect(GuardPolicy.standard.judge(&traffic, rules: [], at: Self.now).action == .challenge)
    }

    private static func network(_ text: String) -> TrafficKey? { ClientAddress.Network(text).map(TrafficKey.network) }

    private static func traffic(_ example: Case) -> NumberTraffic {
        NumberTraffic(
            prefix: Traffic(hours: example.prefix, blockedUntil: example.blockedFor.map { now + .seconds($0) }),
            country: Traffic(hours: example.country),
            networks: zip(ClientAddress("2001:db8:1:2::7")?.networks ?? [], example.networks).map {
                KeyedTraffic(key: .network($0), traffic: Traffic(hours: $1))
            }
        )
    }

    @Test(arguments: cases)
    func `the verdict of each case`(_ example: Case) {
        var traffic = Self.traffic(example)
        #expect(
            GuardPolicy.standard.judge(&traffic, rules: [], isVouched: example.isVouched, at: Self.now)
                == example.verdict
        )
    }

    @Test(arguments: cases)
    func `watching, it lets everything through and reports what it would have suppressed`(_ example: Case) throws {
        var traffic = Self.traffic(example)
        let verdict = try GuardPolicy(mode: .shadow).judge(
            &traffic,
            rules: [],
            isVouched: example.isVouched,
            at: Self.now
        )
        let awaitsContinue = example.verdict.action == .block || example.verdict.action == .challenge
        #expect(verdict == GuardVerdict(awaitsContinue ? .shadow : .allow, example.verdict.reasons))
    }

    /// Else a prefix with enough messages would stay blocked, however many of them are approved, and be so when the
    /// guard enforces.
    @Test func `watching, a block ends in its time, whatever is sent meanwhile`() throws {
        var traffic = NumberTraffic(prefix: .none, country: .none, service: .none)
        traffic.prefix.block(from: Self.now, for: .seconds(43_200))
        let policy = try GuardPolicy(mode: .shadow)
        for second: Int64 in 1...100 {
            let verdict = policy.judge(&traffic, rules: [], isVouched: false, at: Self.now + .seconds(second))
            #expect(verdict == GuardVerdict(.shadow, [.prefixBlocked]))
        }
        #expect(traffic.prefix.blockedUntil == Self.now + .seconds(43_200))
    }

    @Test(arguments: cases)
    func `off, it says nothing and leaves everything as it is`(_ example: Case) {
        var traffic = Self.traffic(example)
        let verdict = GuardPolicy.off.judge(&traffic, rules: [], isVouched: false, at: Self.now)
        #expect(verdict == GuardVerdict(.allow, [.guardOff]))
        #expect(traffic == Self.traffic(example))
    }

    @Test(arguments: cases.filter { !$0.isVouched })
    func `a forecast says the same and changes nothing`(_ example: Case) {
        #expect(
            GuardPolicy.standard.forecast(Self.traffic(example), rules: [], at: Self.now) == example.verdict
        )
    }

    @Test func `of an operator's rules in force the longest decides, whatever the traffic and the mode`() throws {
        let rule = { (prefix: String, action: GuardRule.Action, until: Int64?) throws in
            try #require(
                GuardRule(
                    prefix: prefix,
                    action: action,
                    until: until.map { Self.now + .seconds($0) },
                    createdAt: Self.now
                )
            )
        }
        let allow = try rule("+82", .allow, nil)
        let block = try rule("+8210", .block, 60)
        let over = try rule("+82101", .allow, 0)
        let open = try rule("+82101234", .allow, 1)
        var traffic = Self.traffic(Self.cases[5])
        let loaded = traffic
        let judge = { (rules: [GuardRule], policy: GuardPolicy) in
            policy.judge(&traffic, rules: rules, isVouched: false, at: Self.now)
        }
        let blockListed = GuardVerdict(.block, [.blockListed], retryAt: Self.now + .seconds(60))
        #expect(judge([allow], .standard) == GuardVerdict(.allow, [.safeListed]))
        for policy in [.standard, .off, try GuardPolicy(mode: .shadow)] {
            #expect(judge([allow, block], policy) == blockListed)
            #expect(judge([block, over, allow], policy) == blockListed)
            #expect(judge([open, block, allow], policy) == GuardVerdict(.allow, [.safeListed]))
        }
        #expect(
            judge([try rule("+8210", .block, nil)], .standard)
                == GuardVerdict(.block, [.blockListed], retryAt: Self.now + .seconds(43_200))
        )
        #expect(traffic == loaded)
    }

    @Test func `a rule is about the beginning of a number`() throws {
        let rule = { GuardRule(prefix: $0, action: .allow, until: nil, createdAt: Self.now) }
        #expect(["+8", "+8210", "+821012345678", "+123456789012345"].allSatisfy { rule($0) != nil })
        #expect(
            ["", "+", "82", "+82 10", "+1234567890123456", "+８２", "8210", "++82", "+82x"].allSatisfy { rule($0) == nil }
        )
        #expect(
            GuardRule.prefixes(of: "+821012345678") == [
                "+8", "+82", "+821", "+8210", "+82101", "+821012", "+8210123", "+82101234", "+821012345",
                "+8210123456", "+82101234567", "+821012345678",
            ]
        )
    }

    private static let outOfRange: [(name: String, range: String, make: @Sendable () throws -> GuardPolicy)] = [
        ("prefixSample", "5 to 100000 messages", { try GuardPolicy(prefixSample: 4) }),
        ("prefixPercent", "1 to 90 percent", { try GuardPolicy(prefixPercent: 91) }),
        ("countrySample", "5 to 1000000 messages", { try GuardPolicy(countrySample: 1_000_001) }),
        ("countryPercent", "1 to 90 percent", { try GuardPolicy(countryPercent: 0) }),
        ("blockTime", "60 to 2592000 seconds", { try GuardPolicy(blockTime: .seconds(59)) }),
    ]

    @Test(arguments: outOfRange)
    func `each value has its range`(name: String, range: String, make: @Sendable () throws -> GuardPolicy) {
        #expect(throws: PolicyError(name: name, range: range), performing: make)
    }
}
