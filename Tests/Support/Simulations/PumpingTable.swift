public import PhoneDomain

/// The results as an aligned table.
public struct PumpingTable: CustomStringConvertible {
    private static let titles = [
        "scenario", "defence", "asked", "bought", "% of asked", "after sample", "people", "suppressed", "limited",
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
    fileprivate static func percent(_ part: Int, of whole: Int) -> String {
        guard whole > 0 else { return "-" }
        let hundredths = part * 10_000 / whole
        return "\(hundredths / 100).\(String(hundredths % 100 + 100).dropFirst())"
    }

    public var description: String { Self.aligned(rows, texts: 2) }

    /// The first columns are texts, the others numbers.
    static func aligned(_ rows: [[String]], texts: Int) -> String {
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, text in
                let space = String(repeating: " ", count: widths[column] - text.count)
                return column < texts ? text + space : space + text
            }.joined(separator: "  ")
        }.joined(separator: "\n")
    }
}

/// What each level of the guard does over many days, as an aligned table.
public struct LevelTable: CustomStringConvertible {
    private var rows = [
        [
            "level", "attack", "clients", "days", "people", "% refused", "% solved", "hardest", "bought a day",
            "most a prefix", "10^6 tries a message",
        ]
    ]

    public init() {}

    public mutating func add(_ days: [PumpingResult], _ attack: String, _ level: GuardPolicy.Level, _ clients: String) {
        func sum(_ value: (PumpingResult) -> Int) -> Int { days.reduce(0) { $0 + value($1) } }
        let (people, bought) = (sum(\.honest.requests), sum(\.attack.messages))
        let tries = sum(\.attack.tries)
        rows.append([
            level.rawValue, attack, clients, "\(days.count)", "\(people)",
            PumpingTable.percent(sum { $0.honest.suppressed + $0.honest.limited }, of: people),
            PumpingTable.percent(sum(\.honest.solved), of: people), "\(sum(\.honest.hardest))",
            "\(bought / days.count)", "\(days.map(\.mostToOnePrefix).max() ?? 0)",
            bought > 0 ? "\(tries / bought / 1_000_000)" : "-",
        ])
    }

    public var description: String { PumpingTable.aligned(rows, texts: 3) }
}
