import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct RateMeterTests {
    private let start = Timestamp(seconds: 1_767_225_600)

    /// Takes whatever may be taken at these milliseconds after the start, and says at which it might.
    private func taken(_ limit: RateLimit, at moments: [Int64], of meter: RateMeter = .unused) -> [Int64] {
        var meter = meter
        return moments.filter { moment in
            let now = start + .milliseconds(moment)
            meter.prune(limit, now: now)
            guard meter.nextAt(limit, now: now) <= now else { return false }
            meter.take(limit, now: now)
            return true
        }
    }

    @Test func `the quota may be taken at once, and then one for each interval`() throws {
        let limit = try #require(RateLimit("3/30s"))
        #expect(taken(limit, at: [0, 0, 0, 0, 9_999, 10_000, 10_000, 19_999, 20_000]) == [0, 0, 0, 10_000, 20_000])
    }

    @Test func `after a silence the quota is there again, and no more than that`() throws {
        let limit = try #require(RateLimit("3/30s"))
        #expect(taken(limit, at: [0, 0, 0, 29_999, 29_999, 29_999]) == [0, 0, 0, 29_999, 29_999])
        #expect(taken(limit, at: [0, 0, 0, 90_000, 90_000, 90_000, 90_000]) == [0, 0, 0, 90_000, 90_000, 90_000])
    }

    @Test func `no edge of a window lets two quotas through`() throws {
        let limit = try #require(RateLimit("3/30s"))
        let edge: [Int64] = [29_999, 29_999, 29_999, 30_000, 30_000, 30_000, 30_001]
        #expect(taken(limit, at: edge) == [29_999, 29_999, 29_999])
    }

    @Test func `what is left and when the next may be taken`() throws {
        let limit = try #require(RateLimit("3/30s"))
        var meter = RateMeter.unused
        #expect(meter.remaining(limit, now: start) == 3)
        for left in [2, 1, 0] {
            #expect(meter.nextAt(limit, now: start) <= start)
            meter.take(limit, now: start)
            #expect(meter.remaining(limit, now: start) == left)
        }
        #expect(meter.nextAt(limit, now: start) == start + .seconds(10))
        #expect(meter.remaining(limit, now: start + .milliseconds(9_999)) == 0)
        #expect(meter.remaining(limit, now: start + .seconds(10)) == 1)
        #expect(meter.remaining(limit, now: start + .seconds(30)) == 3)
        #expect(meter.fullAt == (start + .seconds(30)).milliseconds * 1000)
    }

    @Test func `one who comes at the moment named is not too early`() throws {
        // An interval of 142,857.142… µs.
        let limit = try #require(RateLimit("7/1s"))
        var meter = RateMeter.unused
        for _ in 0..<7 { meter.take(limit, now: start) }
        let next = meter.nextAt(limit, now: start)
        #expect(next == start + .milliseconds(143))
        #expect(meter.remaining(limit, now: next) == 1)
        #expect(meter.remaining(limit, now: next - .milliseconds(1)) == 0)
    }

    @Test(arguments: ["999/1s", "7000/1s", "600000/1s", "1000000/1s", "1000000/31d", "999999/7s", "1/31d", "7/1s"])
    func `rounding grants not one more`(_ text: String) throws {
        let limit = try #require(RateLimit(text))
        #expect(RateMeter.unused.remaining(limit, now: start) == limit.quota)
        var meter = RateMeter.unused
        for _ in 0..<min(limit.quota, 10_000) { meter.take(limit, now: start) }
        #expect(meter.remaining(limit, now: start) == limit.quota - min(limit.quota, 10_000))
        // What comes back in a window is no more than the quota.
        let length = limit.window.components.seconds * 1_000_000
        let interval = meter.fullAt - start.milliseconds * 1000
        #expect(interval * Int64(limit.quota) >= length * Int64(min(limit.quota, 10_000)))
    }

    @Test func `a clock set back closes nobody out for longer than one interval`() throws {
        let limit = try #require(RateLimit("3/30s"))
        // Taken by a clock that was a year ahead.
        let ahead = RateMeter(fullAt: (start + .seconds(365 * 86_400)).milliseconds * 1000)
        #expect(taken(limit, at: [0, 9_999, 10_000, 10_000, 20_000], of: ahead) == [10_000, 20_000])
    }

    @Test func `a clock that trembles gains nothing`() throws {
        let limit = try #require(RateLimit("3/30s"))
        #expect(taken(limit, at: [0, -1, 0, -1, 0, -1]) == [0, -1, 0])
    }

    @Test func `a clock set back does not open what is used up, nor close what is not`() throws {
        let limit = try #require(RateLimit("3/30s"))
        #expect(taken(limit, at: [0, 0, 0, -60_001, -50_002, -50_001]) == [0, 0, 0, -50_001])
        #expect(taken(limit, at: [0, -5_000, -5_000]) == [0, -5_000])
    }

    @Test func `one who waited gives nothing back to those who came later`() throws {
        let limit = try #require(RateLimit("3/30s"))
        #expect(taken(limit, at: [0, 0, 0, -9_000, 1_000, -60_000, 2_000, 9_999, 10_000]) == [0, 0, 0, 10_000])
        #expect(RateMeter(fullAt: (start + .seconds(80)).milliseconds * 1000).remaining(limit, now: start) == 0)
    }

    /// The naive model keeps every moment: of any span, no more than the quota and one for each interval in it.
    @Test(arguments: 0..<40)
    func `no span of a random history has more than its due`(_ seed: UInt64) throws {
        var generator = SplitMix64(seed: seed)
        let quota = Int.random(in: 1...12, using: &generator)
        let window = Int64.random(in: 1...60, using: &generator)
        let limit = try #require(RateLimit(quota: quota, window: .seconds(window)))
        var moment: Int64 = 0
        var moments: [Int64] = []
        for _ in 0..<400 {
            moment += Bool.random(using: &generator) ? 0 : Int64.random(in: 0...(window * 300), using: &generator)
            moments.append(moment)
        }
        let taken = taken(limit, at: moments)
        for (index, first) in taken.enumerated() {
            for (count, last) in zip(1..., taken[index...]) {
                let due = Double(quota) + Double((last - first) * Int64(quota)) / Double(window * 1000)
                #expect(Double(count) <= due, "\(count) from \(first) to \(last) of \(limit)")
            }
        }
        // And what it refuses, the model refuses: one more would have been too many.
        var kept: [Int64] = []
        for moment in moments {
            let fits = (kept + [moment]).indices.allSatisfy { index in
                let first = index < kept.count ? kept[index] : moment
                let due = Double(quota) + Double((moment - first) * Int64(quota)) / Double(window * 1000)
                return Double(kept.count + 1 - index) <= due
            }
            if fits { kept.append(moment) }
        }
        #expect(abs(kept.count - taken.count) <= 1 + taken.count / 100)
    }
}
