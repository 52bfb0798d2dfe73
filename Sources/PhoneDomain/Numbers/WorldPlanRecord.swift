/// One line of ``WorldPlanRecords``: a numbering plan as text, from which it is made when it is first needed.
///
/// Eleven fields, separated by semicolons: region, calling code, trunk prefix, ``TrunkRule`` and its replacement, leading
/// digits, international prefixes, start text, the pattern of all numbers, kinds and formats. Kinds are a letter and a pattern, separated by slashes.
/// Formats are separated by tildes, and the parts of each by equals signs: leading digits, `+`, `?` or `-` for ``TrunkUse``,
/// the templates for home, in full (empty where the same as for home) and for abroad (the same, and `!` for none).
struct WorldPlanRecord {
    private let fields: [Substring]

    init(_ line: Substring) {
        fields = line.split(separator: ";", omittingEmptySubsequences: false)
    }

    /// The plan; `nil` for a line that is not of this form, of which there is none.
    ///
    /// - Parameter main: the plan of the main region of a shared calling code, whose formats are used by all.
    func plan(main: NumberingPlan?) -> NumberingPlan? {
        guard fields.count == 11, let region = Region(String(fields[0])) else { return nil }
        let start = String(fields[7])
        return NumberingPlan(
            region: region,
            callingCode: String(fields[1]),
            trunkPrefix: String(fields[2]),
            trunkRule: fields[3].isEmpty ? nil : TrunkRule(String(fields[3]), replacement: String(fields[4])),
            leading: fields[5].isEmpty ? nil : DigitPattern(String(fields[5])),
            internationalPrefixes: fields[6].split(separator: "/").map { String($0) },
            general: DigitPattern(String(fields[8])),
            rules: fields[9].split(separator: "/").compactMap(Self.rule),
            formats: main?.formats ?? fields[10].split(separator: "~").compactMap(Self.format),
            startText: start.isEmpty ? nil : start,
            groupsFrom: 3
        )
    }

    private static let kinds: [Character: NumberKind] = [
        "P": .premium, "T": .tollFree, "S": .sharedCost, "V": .voip, "N": .personal, "G": .pager, "U": .representative,
        "B": .voicemail, "F": .fixedLine, "M": .mobile, "L": .fixedLineOrMobile,
    ]

    private static func rule(_ text: Substring) -> NumberingRule? {
        guard let kind = text.first.flatMap({ kinds[$0] }), let pattern = DigitPattern(String(text.dropFirst())) else {
            return nil
        }
        return NumberingRule(kind, pattern, trunk: .optional)
    }

    private static func format(_ text: Substring) -> NumberFormat? {
        let parts = text.split(separator: "=", omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 5, let leading = DigitPattern(parts[0]) else { return nil }
        let trunk: TrunkUse =
            switch parts[1] {
            case "+": .always
            case "-": .never
            default: .optional
            }
        let abroad = parts[4].isEmpty ? parts[2] : parts[4]
        return NumberFormat(
            leading,
            national: DigitTemplate(parts[3].isEmpty ? parts[2] : parts[3]),
            international: abroad == "!" ? nil : DigitTemplate(abroad),
            home: DigitTemplate(parts[2]),
            trunk: trunk
        )
    }
}
