import CoreMetrics
import Synchronization

/// A number that only grows.
final class CounterSeries: Series, CounterHandler {
    private let count = Atomic<Int64>(0)

    func increment(by amount: Int64) {
        guard amount > 0 else { return }
        count.wrappingAdd(amount, ordering: .relaxed)
    }

    /// Nothing: whoever reads it takes a number that falls for a program that was started anew.
    func reset() {}

    func write(to text: inout ExpositionText, family: MetricFamily, labels: String) {
        text.sample(family.name, labels, Double(count.load(ordering: .relaxed)))
    }
}
