import PhoneDomain
import PumpingSimulation

/// Prints what limits and guard make of pumping attacks (scripts/measure/fraud).
@main struct FraudSimulator {
    static func main() async throws {
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
        print(table)
    }
}
