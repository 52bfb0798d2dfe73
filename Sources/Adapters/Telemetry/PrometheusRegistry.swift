public import CoreMetrics
import Synchronization

/// A backend of swift-metrics that Prometheus scrapes.
///
/// Metrics that are not described, or have other labels than their description, are ignored. The number of series of a
/// metric is limited; further ones are merged into one whose labels are `other`, so that a mistake in a label exhausts
/// no memory, here or in Prometheus.
public final class PrometheusRegistry: MetricsFactory {
    private final class Family: Sendable {
        let description: MetricFamily
        let series = Mutex<[[String]: any Series]>([:])

        init(_ description: MetricFamily) { self.description = description }
    }

    private let families: [String: Family]
    private let order: [String]
    private let seriesLimit: Int

    /// - Parameters:
    ///   - families: every metric, in the order in which they are written.
    ///   - seriesLimit: the most series of a metric, at least 1. The default is more than there are regions and
    ///     outcomes.
    public init(_ families: [MetricFamily], seriesLimit: Int = 4000) {
        order = families.map(\.name)
        self.seriesLimit = seriesLimit
        self.families = Dictionary(families.map { ($0.name, Family($0)) }, uniquingKeysWith: { first, _ in first })
    }

    public func text(_ format: ExpositionFormat = .text) -> String {
        var text = ExpositionText(format)
        for family in order.compactMap({ families[$0] }) {
            let series = family.series.withLock { $0 }.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            if series.isEmpty { continue }
            text.begin(family.description)
            for (values, series) in series {
                let labels = ExpositionText.labels(family.description.labels, values)
                series.write(to: &text, family: family.description, labels: labels)
            }
        }
        text.end()
        return text.text
    }

    /// The series of these labels, made on the first call; nil if the metric is not described so.
    private func series<Wanted: Series>(
        _ name: String,
        _ dimensions: [(String, String)],
        make: (MetricFamily.Kind) -> Wanted?
    ) -> Wanted? {
        guard let family = families[name], dimensions.count == family.description.labels.count else { return nil }
        let values = family.description.labels.compactMap { label in dimensions.first { $0.0 == label }?.1 }
        guard values.count == dimensions.count else { return nil }
        return family.series.withLock { known in
            if let series = known[values] { return series as? Wanted }
            let key = known.count < seriesLimit ? values : values.map { _ in "other" }
            if let series = known[key] { return series as? Wanted }
            let made = make(family.description.kind)
            known[key] = made
            return made
        }
    }

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { $0 == .counter ? CounterSeries() : nil } ?? NOOPMetricsHandler.instance
    }

    /// A gauge, or a counter whose value is read elsewhere.
    public func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
        let gauge = series(label, dimensions) { kind -> GaugeSeries? in
            if case .histogram = kind { nil } else { GaugeSeries() }
        }
        return gauge ?? NOOPMetricsHandler.instance
    }

    public func makeRecorder(label: String, dimensions: [(String, String)], aggregate: Bool) -> any RecorderHandler {
        if aggregate {
            histogram(label, dimensions) ?? NOOPMetricsHandler.instance
        } else {
            series(label, dimensions) { $0 == .gauge ? GaugeSeries() : nil } ?? NOOPMetricsHandler.instance
        }
    }

    /// A histogram of seconds.
    public func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
        histogram(label, dimensions) ?? NOOPMetricsHandler.instance
    }

    private func histogram(_ label: String, _ dimensions: [(String, String)]) -> HistogramSeries? {
        series(label, dimensions) { kind in
            if case .histogram(let bounds) = kind { HistogramSeries(bounds: bounds) } else { nil }
        }
    }

    // Values stay, so that no counter falls.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}

/// The values of a metric under one set of labels.
private protocol Series: AnyObject, Sendable {
    func write(to text: inout ExpositionText, family: MetricFamily, labels: String)
}

private final class CounterSeries: Series, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Does nothing: Prometheus takes a counter that falls for a restart.
    func reset() {}

    func write(to text: inout ExpositionText, family: MetricFamily, labels: String) {
        text.sample(family.name, labels, Double(count.load(ordering: .relaxed)))
    }
}

/// A number that goes up and down, or that is read elsewhere. It is not written before it is first set, nor while it is
/// NaN.
private final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let current = Mutex(Double.nan)

    func set(_ value: Int64) { set(Double(value)) }

    func set(_ value: Double) { current.withLock { $0 = value } }

    func increment(by amount: Double) { current.withLock { $0 = ($0.isNaN ? 0 : $0) + amount } }

    func decrement(by amount: Double) { increment(by: -amount) }

    func record(_ value: Int64) { set(value) }

    func record(_ value: Double) { set(value) }

    func write(to text: inout ExpositionText, family: MetricFamily, labels: String) {
        let value = current.withLock { $0 }
        if !value.isNaN { text.sample(family.name, labels, value) }
    }
}

private final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    private struct State {
        /// The number of values between each bound and the one before; the last is beyond all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }

    func record(_ value: Int64) { record(Double(value)) }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        // A dozen bounds: a linear search is as fast as any other.
        let index = bounds.firstIndex { value <= $0 } ?? bounds.count
        state.withLock { state in
            state.counts[index] += 1
            state.sum += value
        }
    }

    func write(to text: inout ExpositionText, family: MetricFamily, labels: String) {
        let (counts, sum) = state.withLock { ($0.counts, $0.sum) }
        let before = labels.isEmpty ? "" : labels + ","
        var total: UInt64 = 0
        for (bound, count) in zip(bounds, counts) {
            total += count
            text.sample(family.name + "_bucket", before + "le=\"\(bound)\"", Double(total))
        }
        total += counts.last ?? 0
        text.sample(family.name + "_bucket", before + "le=\"+Inf\"", Double(total))
        text.sample(family.name + "_sum", labels, sum)
        text.sample(family.name + "_count", labels, Double(total))
    }
}
