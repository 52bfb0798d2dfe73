import PhoneDomain
import PhoneTestSupport
import Simulations
import Testing

/// What an attack gets, and what it costs people, by whole rules over a store.
@Suite struct PumpingSimulationTests {
    private static let main = Result { try PumpingScenario.main() }

    /// Sums of one run: the attack's messages, those of them after the guard had its sample, and the people's requests
    /// that the guard suppressed or a limit refused.
    private func sums(_ result: PumpingResult) -> [Int] {
        [result.attack.messages, result.afterSample.messages, result.honest.suppressed, result.honest.limited]
    }

    private static let defences: [(GuardPolicy.Mode, Bool, [Int])] = [
        (.enforce, true, [800, 0, 0, 0]),
        (.enforce, false, [800, 0, 0, 0]),
        (.off, true, [17_391, 16_591, 0, 1705]),
        (.off, false, [49_981, 49_181, 0, 0]),
        (.shadow, false, [49_981, 49_181, 0, 0]),
    ]

    @Test(arguments: TestSize.isFull ? defences : [defences[0]])
    func `of 50,000 requests to 40 prefixes the guard lets its sample through and no person waits`(
        _ mode: GuardPolicy.Mode,
        hasLimits: Bool,
        expected: [Int]
    ) async throws {
        let result = try await PumpingSimulation.run(Self.main.get(), PumpingDefence(mode, hasLimits: hasLimits))
        #expect(result.attack.requests == 50_000)
        #expect(sums(result) == expected)
        #expect(result.honestBlocked == [])
        guard mode == .enforce else { return }
        #expect(result.afterSample.messages * 100 < result.afterSample.requests)
    }

    /// In the order of ``PumpingScenario/variations()``. Some of these the guard does not stop: an attacker who types a
    /// fifth of the codes, one who stays under the sample of every prefix in a country of people or has two messages
    /// sent to each prefix, whom limits stop, and one amid people, where it suppresses those of people as well.
    private static let variations: [(name: String, sums: [Int])] = [
        ("nobody attacks", [0, 0, 0, 0]),
        ("60 people of 5 prefixes each within 2 min", [0, 0, 22, 0]),
        ("no code comes for 2 h", [0, 0, 0, 0]),
        ("300 people behind one address", [0, 0, 0, 0]),
        ("amid people, in 40 of their prefixes", [3385, 2997, 557, 0]),
        ("the attacker types 10 % of the codes", [911, 111, 0, 0]),
        ("the attacker types 20 % of the codes", [3040, 2240, 0, 0]),
        ("before anybody else", [500, 0, 0, 0]),
        ("in a country of nobody", [500, 0, 0, 0]),
        ("19 a prefix, in a country of people", [5700, 0, 0, 0]),
        ("19 a prefix, in a country of nobody", [936, 0, 0, 0]),
        ("2 a prefix within 6 min", [5481, 0, 0, 1]),
        ("2 a prefix within 6 min, from one /48", [40, 0, 0, 0]),
        ("2 a prefix within 12 h, from one /48", [40, 0, 0, 0]),
        ("a country wakes up after a week", [0, 0, 0, 0]),
        ("after 100 typed codes a prefix, 13 days before", [1000, 800, 0, 0]),
    ]

    /// The figures that the article on abuse promises; scripts/measure/fraud levels shows them over many days.
    @Test func `amid an attack people get through on pages, and who does not solve challenges gets little`()
        async throws
    {
        let scenario = try PumpingScenario.amidPeople(seed: 1)
        let result = try await PumpingSimulation.run(scenario, PumpingDefence(.standard, onPages: true))
        #expect(result.honest.requests > 4000)
        #expect((result.honest.suppressed + result.honest.limited) * 100 <= result.honest.requests)
        #expect((1...20).contains(result.mostToOnePrefix))
        #expect((1...800).contains(result.attack.messages))
    }

    private static let refused: [(level: GuardPolicy.Level, perMille: Int)] = [(.basic, 1), (.standard, 5), (.max, 20)]

    /// The levels and their goals: 0.1 %, 0.5 % and 2 % of people at most.
    @Test(.enabled(if: TestSize.isFull), arguments: refused)
    func `on a day without an attack a level refuses few people who come by programs`(
        _ level: GuardPolicy.Level,
        perMille: Int
    ) async throws {
        let result = try await PumpingSimulation.run(.quiet(seed: 1), PumpingDefence(level, onPages: false))
        #expect(result.honest.requests > 4000)
        #expect((result.honest.suppressed + result.honest.limited) * 1000 <= result.honest.requests * perMille)
    }

    @Test func `what other attacks get`() async throws {
        let defence = try PumpingDefence(.enforce, hasLimits: true)
        var found: [(name: String, sums: [Int])] = []
        let each = TestSize.isFull ? 1 : 3
        let scenarios = try PumpingScenario.variations().enumerated().filter { $0.offset % each == 0 }.map(\.element)
        for scenario in scenarios {
            let result = try await PumpingSimulation.run(scenario, defence)
            #expect(result.honestBlocked == [])
            found.append((scenario.name, sums(result)))
        }
        let expected = Self.variations.enumerated().filter { $0.offset % each == 0 }.map(\.element)
        #expect(found.map(\.name) == expected.map(\.name))
        #expect(found.map(\.sums) == expected.map(\.sums))
    }
}
