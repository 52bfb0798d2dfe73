/// The results as an aligned table.
public struct PumpingTable: CustomStringConvertible {
    private static let titles = [
        "scenario", "defence", "asked", "bought", "% of asked", "after sample", "people", "held back", "limited",
        "% refused",
    ]
    private var rows = [titles]

    /// An empty table.
    public init() {}

    /// Adds a row.
    public mutating func add(_ scenario: PumpingScenario, _ defence: PumpingDefence, _ result: PumpingResult) {
        let (attack, honest) = (result.attack, result.honest)
        rows.append([
            scenario.name, defence.name, "\(attack.requests)", "\(attack.messages)",
            Self.percent(attack.messages, of: attack.requests), "\(result.afterSample.messages)",
            "\(honest.requests)", "\(honest.suppressed)", "\(honest.limited)",
            Self.percent(honest.suppressed + honest.limited, of: honest.requests),
        ])
    }

    /// To a hundredth, rounded down.
    private static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "-" }
        let hundredths = part * 10_000 / whole
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }

    public var description: String {
        let widths = Self.titles.indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column < 2 ? text + space : space + text
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}
