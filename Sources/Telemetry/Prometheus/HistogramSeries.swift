import CoreMetrics
import Synchronization

/// How many values lie below each of a few bounds, and their sum.
final class HistogramSeries: Series, TimerHandler, RecorderHandler {
    private struct State {
        /// How many lie between each bound and the one before it; the last is beyond all bounds.
        var counts: [UInt64]
        var sum = 0.0
    }

    private let bounds: [Double]
    private let state: Mutex<State>

    init(bounds: [Double]) {
        self.bounds = bounds
        state = Mutex(State(counts: Array(repeating: 0, count: bounds.count + 1)))
    }

    func recordNanoseconds(_ duration: Int64) {
        record(Double(duration) / 1e9)
    }

    func record(_ value: Int64) {
        record(Double(value))
    }

    func record(_ value: Double) {
        guard value.isFinite else { return }
        // A dozen bounds: to look at one after the other is as quick as anything.
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
