import CoreMetrics
import Synchronization

/// A number that goes up and down, or that is read elsewhere. As long as nobody has said what it is, and where it was
/// last said to be no number (NaN), it is not shown.
final class GaugeSeries: Series, MeterHandler, RecorderHandler {
    private let bits = Atomic<UInt64>(Double.nan.bitPattern)

    func set(_ value: Int64) {
        set(Double(value))
    }

    func set(_ value: Double) {
        bits.store(value.bitPattern, ordering: .relaxed)
    }

    func increment(by amount: Double) {
        var before = bits.load(ordering: .relaxed)
        while true {
            let value = Double(bitPattern: before)
            let after = ((value.isNaN ? 0 : value) + amount).bitPattern
            let (isExchanged, found) = bits.weakCompareExchange(expected: before, desired: after, ordering: .relaxed)
            if isExchanged { return }
            before = found
        }
    }

    func decrement(by amount: Double) {
        increment(by: -amount)
    }

    func record(_ value: Int64) {
        set(value)
    }

    func record(_ value: Double) {
        set(value)
    }

    func write(to text: inout ExpositionText, family: MetricFamily, labels: String) {
        let value = Double(bitPattern: bits.load(ordering: .relaxed))
        if !value.isNaN { text.sample(family.name, labels, value) }
    }
}
