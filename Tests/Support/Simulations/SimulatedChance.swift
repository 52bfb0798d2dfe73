import PhoneTestSupport

/// Chance that is the same on every run.
struct SimulatedChance: RandomNumberGenerator {
    private var generator: SplitMix64

    init(seed: UInt64) {
        generator = SplitMix64(seed: seed)
    }

    mutating func next() -> UInt64 { generator.next() }

    mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &self) < percent
    }

    mutating func milliseconds(_ range: ClosedRange<Int64>) -> Duration {
        .milliseconds(Int64.random(in: (range.lowerBound * 1000)...(range.upperBound * 1000), using: &self))
    }
}
