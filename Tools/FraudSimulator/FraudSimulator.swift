import PhoneDomain
import Simulations

/// Prints what limits and guard make of pumping attacks (scripts/measure/fraud), and what each level of the guard does
/// over many days (scripts/measure/fraud levels).
@main struct FraudSimulator {
    static func main() async throws {
        let arguments = CommandLine.arguments.dropFirst()
        guard arguments.first == "levels" else { return print(try await attacks()) }
        let seeds = arguments.dropFirst().first.flatMap { UInt64($0) } ?? 20
        print(try await levels(seeds: Array(1...seeds), of: arguments.dropFirst(2).first))
    }

    private static func attacks() async throws -> String {
        var table = PumpingTable()
        let attack = try PumpingScenario.main()
        for mode in GuardPolicy.Mode.allCases {
            for hasLimits in [false, true] {
                let defence = try PumpingDefence(mode, hasLimits: hasLimits)
                table.add(attack, defence, try await PumpingSimulation.run(attack, defence))
            }
        }
        for scenario in try PumpingScenario.variations() {
            for (mode, hasLimits) in [(GuardPolicy.Mode.off, true), (.enforce, false), (.enforce, true)] {
                let defence = try PumpingDefence(mode, hasLimits: hasLimits)
                table.add(scenario, defence, try await PumpingSimulation.run(scenario, defence))
            }
        }
        return table.description
    }

    /// Each level over the days of many seeds: without an attack, where people use programs that solve no challenge;
    /// and during attacks, where they use the pages.
    ///
    /// - Parameter only: the attack; nil for all of them.
    private static func levels(seeds: [UInt64], of only: String?) async throws -> String {
        var table = LevelTable()
        let attacks: [(name: String, make: Making)] = [
            ("nobody attacks", { try .quiet(seed: $0) }), ("wakes up", { try .wakingUp(seed: $0) }),
            ("warmed up", { try .warmedUp(seed: $0) }), ("amid people", { try .amidPeople(seed: $0) }),
            ("over 40 prefixes", { try .main(seed: $0) }), ("one /48", { try .fromOneSite(seed: $0) }),
        ]
        for level in GuardPolicy.Level.allCases {
            let programs = PumpingDefence(level, onPages: false)
            for quiet in attacks.prefix(3) where only == nil || quiet.name == only {
                table.add(try await run(seeds, quiet.make, programs), quiet.name, level, "programs")
            }
            for (index, attack) in attacks.enumerated() where only == nil || attack.name == only {
                for solves in index < 2 ? [false] : [false, true] {
                    let defence = PumpingDefence(level, onPages: true, attackSolves: solves)
                    // The largest takes a minute a day.
                    let days = index == 4 ? seeds.prefix(2) : seeds[...]
                    let results = try await run(Array(days), attack.make, defence)
                    table.add(results, attack.name, level, solves ? "pages, attack solves" : "pages")
                }
            }
        }
        return table.description
    }

    private typealias Making = (UInt64) throws -> PumpingScenario

    private static func run(
        _ seeds: [UInt64],
        _ scenario: Making,
        _ defence: PumpingDefence
    ) async throws -> [PumpingResult] {
        var results: [PumpingResult] = []
        for seed in seeds { results.append(try await PumpingSimulation.run(scenario(seed), defence)) }
        return results
    }
}
