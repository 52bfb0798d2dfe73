/// Metrics as they are written, line by line.
struct ExpositionText {
    private(set) var text = ""
    private let format: ExpositionFormat

    init(_ format: ExpositionFormat) {
        self.format = format
        text.reserveCapacity(16_384)
    }

    /// Says what the samples that follow are of.
    mutating func begin(_ family: MetricFamily) {
        var name = family.name[...]
        // OpenMetrics has a counter's suffix belong to its samples.
        if format == .openMetrics, family.kind == .counter, name.hasSuffix("_total") { name.removeLast(6) }
        let kind =
            switch family.kind {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        text += "# HELP \(name) \(escaped(help: family.help))\n# TYPE \(name) \(kind)\n"
    }

    mutating func sample(_ name: String, _ labels: String, _ value: Double) {
        text += name
        if !labels.isEmpty { text += "{\(labels)}" }
        text += " \(Self.number(value))\n"
    }

    mutating func end() {
        if format == .openMetrics { text += "# EOF\n" }
    }

    /// The labels as they stand between the braces.
    static func labels(_ names: [String], _ values: [String]) -> String {
        zip(names, values).map { "\($0)=\"\(escaped(value: $1))\"" }.joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        guard let whole = Int64(exactly: value), value.magnitude < 1e15 else { return "\(value)" }
        return "\(whole)"
    }

    private static func escaped(value: String) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else { return value }
        return value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\"": text += #"\""#
            case "\n": text += #"\n"#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    private func escaped(help: String) -> String {
        help.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\n": text += #"\n"#
            // Only OpenMetrics.
            case "\"" where format == .openMetrics: text += #"\""#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
