/// What is known of a metric beforehand: only metrics that are described are kept.
public struct MetricFamily: Hashable, Sendable {
    /// What its values are.
    public enum Kind: Hashable, Sendable {
        /// A number that only grows while the program runs.
        case counter
        /// A number that goes up and down.
        case gauge
        /// How many of the values that were seen lie below each of these bounds.
        ///
        /// - Parameter bounds: in the metric's unit, rising; the last, which is infinite, is not named.
        case histogram(bounds: [Double])
    }

    /// Its name, with its unit behind it, and `_total` behind that of a counter
    /// (https://prometheus.io/docs/practices/naming/).
    public let name: String
    /// What its values are.
    public let kind: Kind
    /// What it says, in one sentence.
    public let help: String
    /// The names of its labels, in the order in which they are shown. What they may say is of a small set that is known
    /// beforehand: never a number, an identifier, a path or anything else that a caller chooses.
    public let labels: [String]

    /// A metric of these parts.
    public init(_ name: String, _ kind: Kind, labels: [String] = [], help: String) {
        self.name = name
        self.kind = kind
        self.labels = labels
        self.help = help
    }
}
