import Simulations

/// Prints what routes that learn make of gateways and attackers (scripts/measure/routes).
@main struct RouteSimulator {
    static func main() throws {
        let seeds = CommandLine.arguments.dropFirst().first.flatMap { UInt64($0) } ?? 10
        print(try RoutingSimulation.table(seeds: Array(1...max(1, seeds))))
    }
}
