import CoreMetrics

/// The values of a metric under one set of labels, which can be read at any time.
protocol Series: AnyObject, Sendable {
    /// Appends what it says.
    func write(to text: inout ExpositionText, family: MetricFamily, labels: String)
}
