public import CoreMetrics
import Synchronization

/// Keeps metrics for Prometheus to read: a backend of swift-metrics.
///
/// What nobody has described is not kept, and neither is what is described with other labels. Each metric has so many
/// series at most; what comes beyond is counted together, under labels that say `other`, so that no mistake in a label
/// can make the program, or whoever reads it, run out of memory.
///
/// Whoever counts makes a handle once and keeps it: making one looks it up, using one is an addition.
public final class PrometheusRegistry: MetricsFactory {
    private struct Family {
        let description: MetricFamily
        var series: [[String]: any Series] = [:]
    }

    private let families: Mutex<[String: Family]>
    private let order: [String]
    private let seriesLimit: Int

    /// A registry of these metrics, without values.
    ///
    /// - Parameters:
    ///   - families: every metric that there may be, in the order in which they are shown.
    ///   - seriesLimit: the most series of a metric, at least 1. Standard: 4000, more than
    ///     there are regions and outcomes.
    public init(_ families: [MetricFamily], seriesLimit: Int = 4000) {
        order = families.map(\.name)
        self.seriesLimit = seriesLimit
        self.families = Mutex(
            Dictionary(families.map { ($0.name, Family(description: $0)) }, uniquingKeysWith: { first, _ in first })
        )
    }

    /// All metrics that have values, as text.
    public func text(_ format: ExpositionFormat = .text) -> String {
        var text = ExpositionText(format)
        let families = families.withLock { $0 }
        for family in order.compactMap({ families[$0] }) where !family.series.isEmpty {
            text.begin(family.description)
            let series = family.series.sorted { $0.key.lexicographicallyPrecedes($1.key) }
            for (values, series) in series {
                let labels = ExpositionText.labels(family.description.labels, values)
                series.write(to: &text, family: family.description, labels: labels)
            }
        }
        text.end()
        return text.text
    }

    /// The series of these labels, made if it is not there; nil if it is not to be kept.
    private func series<Wanted: Series>(
        _ name: String,
        _ dimensions: [(String, String)],
        make: (MetricFamily.Kind) -> Wanted?
    ) -> Wanted? {
        families.withLock { families in
            guard let description = families[name]?.description, dimensions.count == description.labels.count,
                case let values = description.labels.compactMap({ label in dimensions.first { $0.0 == label }?.1 }),
                values.count == description.labels.count
            else { return nil }
            if let series = families[name]?.series[values] { return series as? Wanted }
            let isFull = (families[name]?.series.count ?? 0) >= seriesLimit
            let key = isFull ? values.map { _ in "other" } : values
            if let series = families[name]?.series[key] { return series as? Wanted }
            let made = make(description.kind)
            families[name]?.series[key] = made
            return made
        }
    }

    // MARK: - MetricsFactory

    public func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
        series(label, dimensions) { $0 == .counter ? CounterSeries() : nil } ?? NOOPMetricsHandler.instance
    }

    /// A gauge, or a counter that is counted elsewhere and said here.
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

    // What was counted stays counted, so that no number falls.
    public func destroyCounter(_ handler: any CounterHandler) {}
    public func destroyMeter(_ handler: any MeterHandler) {}
    public func destroyRecorder(_ handler: any RecorderHandler) {}
    public func destroyTimer(_ handler: any TimerHandler) {}
}
