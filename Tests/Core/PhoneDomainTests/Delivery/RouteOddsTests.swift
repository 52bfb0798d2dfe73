import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Simulations
import Testing

@testable import PhoneDomain

@Suite("Routes that learn")
struct RouteOddsTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    /// Codes to numbers that differ and begin alike: `+82102`.
    private func samples(
        _ count: Int,
        by gateway: String,
        approved: Int,
        in seconds: Int64 = 7,
        to beginning: String = "+82102",
        after time: Duration = .zero
    ) throws -> [RouteSample] {
        try (0..<count).map { index in
            RouteSample(
                by: gateway,
                .sms,
                to: try PhoneNumber(e164: beginning + String(1_000_000 + index)),
                createdAt: Self.now + time,
                approvedAfter: index < approved ? .seconds(seconds) : nil
            )
        }
    }

    /// In percent, with the place that they are judged by.
    private func odds(
        _ odds: RouteOdds,
        _ gateways: [String] = ["a", "b"],
        to number: String = "+821021234567"
    ) throws -> String {
        let shares = odds.shares(of: gateways, to: try PhoneNumber(e164: number), by: .sms)
        #expect(abs(shares.reduce(0) { $0 + $1.odds } - 1) < 1e-9)
        let texts = shares.map { "\($0.gateway) \(Int(($0.odds * 100).rounded()))" }
        return texts.joined(separator: ", ") + " (\(Set(shares.map(\.place)).sorted().joined(separator: " ")))"
    }

    @Test("with nothing measured every gateway has the same odds")
    func nothing() throws {
        #expect(try odds(RouteOdds()) == "a 50, b 50 (*)")
        #expect(try odds(RouteOdds(), ["a", "b", "c"]) == "a 33, b 33, c 33 (*)")
        #expect(try odds(RouteOdds(), ["a"]) == "a 100 (*)")
    }

    @Test("a gateway gets as many messages as it is likely to be the best, and at least 5 of 100")
    func likely() throws {
        var odds = RouteOdds()
        odds.learn(try samples(50, by: "a", approved: 47) + samples(50, by: "b", approved: 45), at: Self.now)
        #expect(try self.odds(odds) == "a 77, b 23 (+82102)")
        odds.learn(try samples(150, by: "a", approved: 141) + samples(150, by: "b", approved: 30), at: Self.now)
        #expect(try self.odds(odds) == "a 95, b 5 (+82102)")
        // Nothing is known of another channel's messages.
        let number = try PhoneNumber(e164: "+821021234567")
        #expect(odds.shares(of: ["a", "b"], to: number, by: .call).map(\.odds) == [0.5, 0.5])
    }

    @Test("of two gateways whose codes are entered as often the faster one is better")
    func speed() throws {
        var odds = RouteOdds()
        odds.learn(try samples(100, by: "a", approved: 90, in: 60), at: Self.now)
        odds.learn(try samples(100, by: "b", approved: 90, in: 6), at: Self.now)
        #expect(try self.odds(odds) == "a 5, b 95 (+82102)")
        let shares = odds.shares(of: ["a", "b"], to: try PhoneNumber(e164: "+821021234567"), by: .sms)
        #expect(shares.map { $0.figures.meanSeconds?.rounded() } == [60, 6])
        #expect(shares.map { $0.figures.messages.rounded() } == [100, 100])
    }

    @Test("a place with few messages is judged by its country, and a country by all")
    func places() throws {
        var odds = RouteOdds()
        odds.learn(try samples(60, by: "a", approved: 6) + samples(60, by: "b", approved: 54), at: Self.now)
        #expect(try self.odds(odds) == "a 5, b 95 (+82102)")
        #expect(try self.odds(odds, to: "+821071234567") == "a 5, b 95 (KR)")
        #expect(try self.odds(odds, to: "+4915112345678") == "a 5, b 95 (*)")
        // Its own messages decide once there are some.
        let here =
            try samples(20, by: "a", approved: 20, to: "+82107") + samples(30, by: "b", approved: 0, to: "+82107")
        odds.learn(here, at: Self.now)
        #expect(try self.odds(odds, to: "+821071234567").hasSuffix("(+82107)"))
        odds.learn(try samples(120, by: "a", approved: 114, to: "+82107"), at: Self.now)
        odds.learn(try samples(120, by: "b", approved: 12, to: "+82107"), at: Self.now)
        #expect(try self.odds(odds, to: "+821071234567") == "a 95, b 5 (+82107)")
        #expect(try self.odds(odds) == "a 5, b 95 (+82102)")
    }

    @Test("what a gateway did long ago is forgotten, and what it did before its last 200 messages")
    func fading() throws {
        var odds = RouteOdds()
        odds.learn(try samples(100, by: "a", approved: 10) + samples(100, by: "b", approved: 90), at: Self.now)
        #expect(try self.odds(odds) == "a 5, b 95 (+82102)")
        odds.learn([], at: Self.now + .seconds(86_400))
        let number = try PhoneNumber(e164: "+821021234567")
        let shares = odds.shares(of: ["a", "b"], to: number, by: .sms)
        #expect(shares.map { $0.figures.messages.rounded() } == [50, 50])
        odds.learn([], at: Self.now + .seconds(30 * 86_400))
        #expect(try self.odds(odds) == "a 50, b 50 (*)")
        // One that was good for long and breaks.
        var other = RouteOdds()
        for _ in 0..<20 { other.learn(try samples(100, by: "a", approved: 95), at: Self.now) }
        other.learn(try samples(100, by: "b", approved: 90), at: Self.now)
        #expect(try self.odds(other) == "a 90, b 10 (+82102)")
        other.learn(try samples(40, by: "a", approved: 0), at: Self.now)
        #expect(try self.odds(other) == "a 5, b 95 (+82102)")
    }

    @Test("a number counts once each time, and a range of numbers for no more than 50 messages of its country")
    func votes() throws {
        var odds = RouteOdds()
        let one = try samples(1, by: "b", approved: 0)
        odds.learn(Array(repeating: one[0], count: 1000), at: Self.now)
        let number = try PhoneNumber(e164: "+821071234567")
        func counted(_ gateway: String) -> Double {
            odds.shares(of: [gateway], to: number, by: .sms)[0].figures.messages.rounded()
        }
        #expect(counted("b") == 1)
        for beginning in ["+82103", "+82104", "+82105", "+82106"] {
            odds.learn(try samples(40, by: "a", approved: 38, to: beginning), at: Self.now)
            odds.learn(try samples(40, by: "b", approved: 20, to: beginning), at: Self.now)
        }
        #expect(try self.odds(odds, to: "+821071234567") == "a 95, b 5 (KR)")
        // A thousand approvals of the attacker's own.
        for _ in 0..<10 { odds.learn(try samples(100, by: "b", approved: 100, in: 1, to: "+82108"), at: Self.now) }
        #expect(counted("b") == 200)
        #expect(try self.odds(odds, to: "+821071234567") == "a 95, b 5 (KR)")
        #expect(try self.odds(odds, to: "+821081234567") == "a 52, b 48 (+82108)")
    }

    @Test("the bits of a message's ID draw the first gateway, and the likeliest of the others follow")
    func order() throws {
        let odds = OddsInForce()
        let all = try samples(100, by: "a", approved: 5) + samples(100, by: "b", approved: 95)
        odds.learn(try all + samples(100, by: "c", approved: 50), at: Self.now)
        let number = try PhoneNumber(e164: "+821021234567")
        func order(_ bits: UInt64, _ gateways: [String] = ["a", "b", "c"]) -> [String] {
            odds.order(gateways, to: number, by: .sms, for: OutboxMessage.ID(bits: .max, bits))
        }
        #expect(order(0) == ["a", "b", "c"])
        #expect(order(.max / 100 * 4) == ["a", "b", "c"])
        #expect(order(.max / 100 * 6) == ["b", "a", "c"])
        #expect(order(.max / 100 * 94) == ["b", "a", "c"])
        #expect(order(.max) == ["c", "b", "a"])
        #expect(order(.max, ["a"]) == ["a"])
        #expect(order(.max, []) == [])
    }

    @Test("a day of people: what learned odds gain, and what a lying vendor or an attacker gets")
    func days() throws {
        let (fixed, learned) = try both(.lying)
        #expect(fixed.percent(fixed.approvedAtOnce) == 48)
        #expect(learned.percent(learned.approvedAtOnce) >= 87)
        #expect(learned.percent(learned.byA) >= 93)
        // The approvals of one request in ten bring the worse gateway no more than some of the messages.
        let (_, pushed) = try both(.pushed(by: 10))
        #expect(pushed.percent(pushed.byA) >= 60)
        // Of every third it can have nearly all, and people still get their codes as well as that gateway sends them.
        let (_, most) = try both(.pushed(by: 30))
        #expect(most.percent(most.byA) >= 5)
        #expect(most.percent(most.approvedAtOnce) >= 75)
        #expect(most.percent(most.approved) >= 85)
    }

    private func both(_ scenario: RoutingScenario) throws -> (fixed: RoutingResult, learned: RoutingResult) {
        (
            try RoutingSimulation.run(scenario, learns: false, seed: 1),
            try RoutingSimulation.run(scenario, learns: true, seed: 1)
        )
    }
}
