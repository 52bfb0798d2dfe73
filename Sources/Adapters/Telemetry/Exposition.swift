/// The text format of metrics.
public enum ExpositionFormat: Sendable, CaseIterable {
    /// Prometheus' text format 0.0.4 (https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format).
    case text
    /// OpenMetrics 1.0.0 (https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md).
    case openMetrics

    public init(accept: String?) {
        self = accept?.contains("application/openmetrics-text") == true ? .openMetrics : .text
    }

    public var contentType: String {
        switch self {
        case .text: "text/plain; version=0.0.4; charset=utf-8"
        case .openMetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8"
        }
    }
}

/// Writes metrics line by line.
struct ExpositionText {
    private(set) var text = ""
    private let format: ExpositionFormat

    init(_ format: ExpositionFormat) {
        self.format = format
        text.reserveCapacity(16_384)
    }

    mutating func begin(_ family: MetricFamily) {
        var name = family.name[...]
        // In OpenMetrics the suffix of a counter is part of its samples' names only.
        if format == .openMetrics, family.kind == .counter, name.hasSuffix("_total") { name.removeLast(6) }
        let kind =
            switch family.kind {
            case .counter: "counter"
            case .gauge: "gauge"
            case .histogram: "histogram"
            }
        text += "# HELP \(name) \(Self.escaped(family.help, quotes: format == .openMetrics))\n# TYPE \(name) \(kind)\n"
    }

    mutating func sample(_ name: String, _ labels: String, _ value: Double) {
        text += name
        if !labels.isEmpty { text += "{\(labels)}" }
        text += " \(Self.number(value))\n"
    }

    mutating func end() {
        if format == .openMetrics { text += "# EOF\n" }
    }

    static func labels(_ names: [String], _ values: [String]) -> String {
        zip(names, values).map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",")
    }

    private static func number(_ value: Double) -> String {
        if value.isInfinite { return value > 0 ? "+Inf" : "-Inf" }
        guard let whole = Int64(exactly: value), value.magnitude < 1e15 else { return "\(value)" }
        return "\(whole)"
    }

    /// - Parameter quotes: whether quotes are escaped: those of help only in OpenMetrics.
    private static func escaped(_ value: String, quotes: Bool = true) -> String {
        guard value.utf8.contains(where: { $0 == 0x22 || $0 == 0x5C || $0 == 0x0A }) else { return value }
        return value.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\\": text += #"\\"#
            case "\"" where quotes: text += #"\""#
            case "\n": text += #"\n"#
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
