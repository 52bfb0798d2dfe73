import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport

/// What gateways do over a day, and who asks for codes.
package struct RoutingScenario: Sendable {
    package let name: String
    /// In the order of the operator, who thinks that the first is the best.
    let gateways: [String]
    /// How many of 100 codes arrive, to a range of numbers and in a minute of the day.
    let arrivals: @Sendable (_ gateway: String, _ range: Int, _ minute: Int) -> Int
    /// How many of 100 requests are the attacker's.
    var attack = 0
    /// The gateway whose codes the attacker enters, at once, and no others: to get it more messages, or the others
    /// fewer.
    var favorite = "b"
    /// The ranges of the attacker's numbers.
    var attacked = 0..<RoutingScenario.ranges

    static let ranges = 4
    package static let minutes = 1440
    /// Requests in a minute, and how long a code takes, in seconds: of one gateway less than of the other.
    static let requests = 10
    static let seconds: [String: ClosedRange<Int64>] = ["a": 4...10, "b": 8...20]

    package static let all: [RoutingScenario] = [
        RoutingScenario("both are good", ["a", "b"]) { _, _, _ in 95 },
        RoutingScenario("the second is better", ["b", "a"]) { gateway, _, _ in gateway == "a" ? 95 : 80 },
        RoutingScenario("the first loses one range", ["a", "b"]) { gateway, range, _ in
            gateway == "a" ? (range == 0 ? 5 : 95) : 90
        },
        RoutingScenario("the first loses all for 4 h", ["a", "b"]) { gateway, _, minute in
            gateway == "a" ? (480..<720 ~= minute ? 0 : 95) : 90
        },
        lying, pushed(by: 10), pushed(by: 30),
        RoutingScenario("30 % push b in one range", ["a", "b"], attack: 30, attacked: 0..<1, gap),
        RoutingScenario("30 % starve b", ["a", "b"], attack: 30, favorite: "a", gap),
    ]

    /// It reports every message as delivered; nobody looks at that.
    package static let lying = RoutingScenario("b loses half, and lies", ["b", "a"]) { gateway, _, _ in
        gateway == "a" ? 95 : 50
    }

    /// From numbers everywhere, of which it never uses one twice.
    package static func pushed(by percent: Int) -> RoutingScenario {
        RoutingScenario("\(percent) % push b everywhere", ["a", "b"], attack: percent, gap)
    }

    private static let gap: @Sendable (String, Int, Int) -> Int = { gateway, _, _ in gateway == "a" ? 95 : 80 }

    private init(
        _ name: String,
        _ gateways: [String],
        attack: Int = 0,
        favorite: String = "b",
        attacked: Range<Int> = 0..<ranges,
        _ arrivals: @escaping @Sendable (String, Int, Int) -> Int
    ) {
        (self.name, self.gateways, self.arrivals) = (name, gateways, arrivals)
        (self.attack, self.favorite, self.attacked) = (attack, favorite, attacked)
    }
}

/// What people had of it.
package struct RoutingResult: Sendable {
    package var people = 0
    /// With the first code, and with any.
    package var approvedAtOnce = 0
    package var approved = 0
    /// First codes by `a`.
    package var byA = 0

    package mutating func add(_ other: RoutingResult) {
        people += other.people
        approvedAtOnce += other.approvedAtOnce
        approved += other.approved
        byA += other.byA
    }

    package func percent(_ part: Int) -> Int { people > 0 ? (part * 100 + people / 2) / people : 0 }
}

/// A day of requests, by the rules of the service: ten a minute, to four ranges of one country. Of 100 people who got
/// a code 95 enter it, and of 100 who got none 70 ask once more.
package enum RoutingSimulation {
    /// - Parameter learns: false for gateways in the operator's order.
    package static func run(_ scenario: RoutingScenario, learns: Bool, seed: UInt64) throws -> RoutingResult {
        var chance = SplitMix64(seed: seed)
        let (odds, start) = (OddsInForce(), Timestamp(seconds: 1_767_225_600))
        var (result, samples) = (RoutingResult(), [RouteSample]())
        for minute in 0..<RoutingScenario.minutes {
            let now = start + .seconds(60 * minute)
            if minute % 5 == 0 {
                let mature = samples.prefix { $0.createdAt < now - OddsInForce.maturity }
                odds.learn(mature.reversed(), at: now)
                samples.removeFirst(mature.count)
            }
            for _ in 0..<RoutingScenario.requests {
                let isAttack = chance.happens(scenario.attack)
                let ranges = isAttack ? scenario.attacked : 0..<RoutingScenario.ranges
                let range = Int.random(in: ranges, using: &chance)
                let number = try PhoneNumber(
                    e164: "+8210\(2 + range)\(Int.random(in: 1_000_000...9_999_999, using: &chance))"
                )
                let id = OutboxMessage.ID(bits: chance.next(), chance.next())
                let order =
                    learns ? odds.order(scenario.gateways, to: number, by: .sms, for: id) : scenario.gateways
                func send(by gateway: String, _ takes: ClosedRange<Int64>?) -> Bool {
                    let wait = takes.map { Duration.seconds(Int64.random(in: $0, using: &chance)) }
                    samples.append(
                        RouteSample(by: gateway, .sms, to: number, createdAt: now, approvedAfter: wait)
                    )
                    return wait != nil
                }
                guard !isAttack else {
                    _ = send(by: order[0], order[0] == scenario.favorite ? 1...3 : nil)
                    continue
                }
                result.people += 1
                if order[0] == "a" { result.byA += 1 }
                func isApproved(by gateway: String) -> (arrives: Bool, approved: Bool) {
                    let arrives = chance.happens(scenario.arrivals(gateway, range, minute))
                    let isTyped = arrives && chance.happens(95)
                    return (arrives, send(by: gateway, isTyped ? RoutingScenario.seconds[gateway] : nil))
                }
                let first = isApproved(by: order[0])
                if first.approved { result.approvedAtOnce += 1 }
                // Which gateway a code that is asked for again goes by.
                let next = learns ? order[1] : order[0]
                if first.approved || !first.arrives && chance.happens(70) && isApproved(by: next).approved {
                    result.approved += 1
                }
            }
        }
        return result
    }

    /// Each scenario by the operator's order and by learned odds, as an aligned table.
    package static func table(seeds: [UInt64]) throws -> String {
        var rows = [
            ["scenario", "approved at once, order", "learn", "in the end, order", "learn", "first by a, learn"]
        ]
        for scenario in RoutingScenario.all {
            var (fixed, learned) = (RoutingResult(), RoutingResult())
            for seed in seeds {
                fixed.add(try run(scenario, learns: false, seed: seed))
                learned.add(try run(scenario, learns: true, seed: seed))
            }
            rows.append(
                [scenario.name]
                    + [
                        fixed.percent(fixed.approvedAtOnce), learned.percent(learned.approvedAtOnce),
                        fixed.percent(fixed.approved), learned.percent(learned.approved), learned.percent(learned.byA),
                    ].map { "\($0) %" }
            )
        }
        return PumpingTable.aligned(rows, texts: 1)
    }
}
