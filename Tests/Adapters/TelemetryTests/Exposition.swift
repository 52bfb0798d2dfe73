/// A strict reader of Prometheus' text format 0.0.4: it takes what the format's page allows and nothing else
/// (https://prometheus.io/docs/instrumenting/exposition_formats/#text-format-details), and holds writers to what that
/// page only recommends.
struct Exposition {
    struct Fault: Error, CustomStringConvertible {
        let description: String
    }

    /// The kind of each metric.
    private(set) var kinds: [String: String] = [:]
    /// Every sample, its labels as they are written: `name{a="b"}`.
    private(set) var samples: [String: Double] = [:]
    private var lastFamily: String?

    init(_ text: String) throws {
        guard text.hasSuffix("\n") else { throw Fault(description: "no end of the last line") }
        var helped: String?
        for line in text.dropLast().split(separator: "\n", omittingEmptySubsequences: false) {
            if let rest = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                helped = String(rest.1)
            } else if let rest = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/) {
                let name = String(rest.1)
                guard helped == name, kinds[name] == nil else { throw Fault(description: "\(line): out of place") }
                guard rest.2 != "counter" || name.hasSuffix("_total") else {
                    throw Fault(description: "\(name): no total")
                }
                kinds[name] = String(rest.2)
                lastFamily = name
            } else {
                try readSample(line)
            }
        }
        for (name, kind) in kinds where kind == "histogram" { try checkHistogram(name) }
    }

    private mutating func readSample(_ line: Substring) throws {
        let label = #"[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\["\\n])*""#
        let pattern = try Regex(#"([a-zA-Z_:][a-zA-Z0-9_:]*)((?:\{\#(label)(?:,\#(label))*\})?) (\S+)"#)
        guard let match = line.wholeMatch(of: pattern), match.count == 4,
            let name = match[1].substring, let labels = match[2].substring,
            let value = match[3].substring.flatMap({ Double($0 == "+Inf" ? "inf" : String($0)) }),
            let lastFamily, let kind = kinds[lastFamily]
        else { throw Fault(description: "\(line): no sample") }
        let names = kind == "histogram" ? ["_bucket", "_sum", "_count"].map { lastFamily + $0 } : [lastFamily]
        guard names.contains(String(name)) else { throw Fault(description: "\(line): not of \(lastFamily)") }
        guard samples.updateValue(value, forKey: String(name + labels)) == nil else {
            throw Fault(description: "\(line): twice")
        }
    }

    /// Buckets rise up to `+Inf`, which is the count.
    private func checkHistogram(_ name: String) throws {
        for (sample, count) in samples where sample.hasPrefix(name + "_count") {
            let labels = sample.dropFirst(name.count + 6).dropFirst().dropLast()
            let buckets = samples.compactMap { key, value -> (Double, Double)? in
                let start = name + "_bucket{" + (labels.isEmpty ? "" : labels + ",") + "le=\""
                guard key.hasPrefix(start), key.hasSuffix("\"}") else { return nil }
                let bound = key.dropFirst(start.count).dropLast(2)
                return Double(bound == "+Inf" ? "inf" : String(bound)).map { ($0, value) }
            }
            .sorted { $0.0 < $1.0 }
            guard let last = buckets.last, last.0 == .infinity, last.1 == count,
                zip(buckets, buckets.dropFirst()).allSatisfy({ $0.1 <= $1.1 })
            else { throw Fault(description: "\(sample): buckets \(buckets)") }
        }
    }
}
