import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDelivery
@testable import PhoneDomain

@Suite("A route that learns, as messages go by it", .hangLimit)
struct LearnedRouteTests {
    private static let names = ["a", "b", "c"]

    /// What is known is that nearly all codes by `c` were entered, half of those by `b`, and none by `a`.
    private func odds(at now: Timestamp) throws -> OddsInForce {
        let samples = try Self.names.enumerated().flatMap { index, name in
            try (0..<100).map { count in
                RouteSample(
                    by: name,
                    .sms,
                    to: try PhoneNumber(e164: "+82101\(2_000_000 + count)"),
                    createdAt: now,
                    approvedAfter: count < index * 48 ? .seconds(5) : nil
                )
            }
        }
        let odds = OddsInForce()
        odds.learn(samples, at: now)
        return odds
    }

    private func routes(learns: Bool, _ names: [String] = names) -> Routes {
        Routes(
            Self.names.map { Routes.Gateway($0) },
            rules: [.everywhere: [.everything: names]],
            learns: learns
        )
    }

    /// IDs of tests are small, which draws the first gateway, at its least odds.
    @Test(
        "a code that is asked for again goes by a gateway that has not had it, the best first; without learning it does not"
    )
    func resends() async throws {
        for (learns, expected) in [(true, ["a", "c", "b", "a", "c"]), (false, ["a", "a", "a", "a", "a"])] {
            let world = try World()
            let gateways = Self.names.map { ScriptedGateway($0) }
            let dispatcher = world.dispatcher(
                gateways,
                routes: routes(learns: learns),
                odds: try odds(at: world.wall.now())
            )
            for cooldown in [30, 60, 120, 300, 0] {
                try await world.queue()
                try await dispatcher.drain()
                world.advance(by: .seconds(cooldown))
            }
            #expect(await world.store.outbox.map(\.gateway) == expected)
        }
    }

    @Test("a refusal goes on to the likeliest of the others, and no gateway outside the route is asked")
    func failover() async throws {
        let world = try World()
        let a = ScriptedGateway("a", script: [.fail(.failover("no money")), .fail(.failover("no money"))])
        let (b, c) = (ScriptedGateway("b"), ScriptedGateway("c"))
        let learned = try odds(at: world.wall.now())
        try await world.queue()
        try await world.dispatcher([a, b, c], routes: routes(learns: true), odds: learned).drain()
        #expect(await world.outbox == ["sent by c as c-1, attempt 1"])
        try await world.queue("010-8765-4321")
        let narrow = routes(learns: true, ["a", "b"])
        try await world.dispatcher([a, b, c], routes: narrow, odds: learned).drain()
        #expect(await world.outbox.last == "sent by b as b-1, attempt 1")
        #expect(c.received.count == 1)
    }

    @Test("a notice, which nobody answers, goes in the operator's order")
    func notices() async throws {
        let world = try World()
        try await world.queueNotice()
        let gateways = ["c", "b", "a"].map { ScriptedGateway($0) }
        let routes = routes(learns: true, ["b", "c", "a"])
        try await world.dispatcher(gateways, routes: routes, odds: try odds(at: world.wall.now())).drain()
        #expect(await world.outbox == ["sent by b as b-1, attempt 1"])
    }
}
