import PhoneSignup
import Testing

@testable import PhoneDelivery

@Suite("The circuit breaker")
struct CircuitBreakerTests {
    private let start = Timestamp(seconds: 1000)
    private let limits = CircuitBreaker.Limits(
        failures: 3,
        openTimes: Backoff(first: .seconds(30), longest: .seconds(100)),
        probeWait: .seconds(1)
    )
    private var breaker: CircuitBreaker

    init() { breaker = CircuitBreaker(limits: limits) }

    /// A permit this many seconds after the start.
    private mutating func pass(at seconds: Int64) throws -> CircuitBreaker.Permit {
        guard case .admitted(let pass) = breaker.admit(at: start + .seconds(seconds)) else {
            throw Refused()
        }
        return pass
    }

    private struct Refused: Error {}

    /// The second until which a message is refused that comes this many seconds after the start.
    private mutating func refusal(at seconds: Int64) -> Int64? {
        switch breaker.admit(at: start + .seconds(seconds)) {
        case .admitted: nil
        case .refused(let moment): (moment - start).components.seconds
        }
    }

    private mutating func record(_ isFault: Bool, _ pass: CircuitBreaker.Permit, at seconds: Int64)
        -> CircuitBreaker.Change?
    {
        breaker.record(isFault: isFault, of: pass, at: start + .seconds(seconds))
    }

    @Test("a probe that is released leaves it open: the next one is the probe, and doubles the time if it fails")
    mutating func released() throws {
        for _ in 0..<3 { _ = record(true, try pass(at: 0), at: 0) }
        let first = try pass(at: 30)
        breaker.release(first, at: start + .seconds(30))
        // Its result would be outdated.
        #expect(record(false, first, at: 30) == nil)
        let second = try pass(at: 30)
        #expect(second.isProbe)
        #expect(refusal(at: 30) == 31)
        #expect(record(true, second, at: 31) == .opened(for: .seconds(60)))
        // Only a probe can be released.
        breaker = CircuitBreaker(limits: limits)
        let permit = try pass(at: 0)
        breaker.release(permit, at: start)
        #expect(refusal(at: 0) == nil)
    }

    @Test("its whole history: failures, probes that fail for ever longer, a success, and from the beginning again")
    mutating func history() throws {
        for second in [0, 1] as [Int64] {
            let pass = try pass(at: second)
            #expect(!pass.isProbe)
            #expect(record(true, pass, at: second) == nil)
        }
        #expect(record(true, try pass(at: 2), at: 2) == .opened(for: .seconds(30)))
        #expect([2, 3, 31].map { refusal(at: $0) } == [32, 32, 32])

        var probe = try pass(at: 32)
        #expect(probe.isProbe)
        #expect([32, 40].map { refusal(at: $0) } == [33, 41])
        #expect(record(true, probe, at: 40) == .opened(for: .seconds(60)))
        #expect([40, 99].map { refusal(at: $0) } == [100, 100])

        probe = try pass(at: 100)
        #expect(record(true, probe, at: 100) == .opened(for: .seconds(100)))
        probe = try pass(at: 200)
        #expect(record(true, probe, at: 201) == .opened(for: .seconds(100)))
        #expect(refusal(at: 300) == 301)

        probe = try pass(at: 301)
        #expect(record(false, probe, at: 302) == .closed)
        #expect(!(try pass(at: 302)).isProbe)
        for _ in 1...2 { #expect(record(true, try pass(at: 303), at: 303) == nil) }
        #expect(record(true, try pass(at: 303), at: 303) == .opened(for: .seconds(30)))
    }

    @Test("a success in between resets the count")
    mutating func inARow() throws {
        for isFault in [true, true, false, true, true, false] {
            #expect(record(isFault, try pass(at: 0), at: 0) == nil)
        }
        for _ in 1...2 { #expect(record(true, try pass(at: 0), at: 0) == nil) }
        #expect(record(true, try pass(at: 0), at: 0) == .opened(for: .seconds(30)))
    }

    @Test("what passed before it opened neither closes it nor keeps it open")
    mutating func lateOutcomes() throws {
        let early = try (1...6).map { _ in try pass(at: 0) }
        #expect(early[0...2].map { record(true, $0, at: 1) } == [nil, nil, .opened(for: .seconds(30))])
        #expect(record(false, early[3], at: 2) == nil)
        #expect(refusal(at: 3) == 31)
        let probe = try pass(at: 31)
        #expect(record(false, early[4], at: 32) == nil)
        #expect(record(true, early[5], at: 32) == nil)
        #expect(refusal(at: 32) == 33)
        #expect(record(false, probe, at: 33) == .closed)
        #expect(record(true, probe, at: 34) == nil)
        for _ in 1...2 { #expect(record(true, try pass(at: 35), at: 35) == nil) }
        #expect(record(true, try pass(at: 35), at: 35) == .opened(for: .seconds(30)))
    }

    @Test("a clock that was set back does not keep it open")
    mutating func clockSetBack() throws {
        for _ in 1...3 { _ = record(true, try pass(at: 3600), at: 3600) }
        #expect(refusal(at: 3600) == 3630)
        #expect(try pass(at: 3599).isProbe)
    }
}
