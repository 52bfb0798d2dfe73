import Testing

@testable import PhoneDelivery

@Suite struct ConcurrencyLimiterTests {
    @Test("no more is acquired than is available, less what is left for others")
    func acquires() {
        let limiter = ConcurrencyLimiter(limit: 5)
        var acquired = [
            limiter.acquire(upTo: 2), limiter.acquire(upTo: .max, leaving: 2), limiter.acquire(upTo: 1, leaving: 2),
        ]
        acquired += [limiter.acquire(upTo: 9), limiter.acquire(upTo: 9), limiter.available]
        #expect(acquired == [2, 1, 0, 2, 0, 0])
        _ = limiter.release(3)
        #expect(limiter.available == 3)
        #expect(limiter.stopped.count == 0)
        limiter.stop()
        #expect(limiter.acquire(upTo: 1) == 0)
        #expect(limiter.available == 0)
        #expect(limiter.stopped.count == 1)
    }

    @Test("a release reports, once, whether somebody found no slot")
    func awaited() {
        let limiter = ConcurrencyLimiter(limit: 2)
        _ = limiter.acquire(upTo: 2)
        var reported = [limiter.release()]
        _ = limiter.acquire(upTo: 1)
        _ = limiter.available
        reported += [limiter.release(0), limiter.release(), limiter.release()]
        _ = limiter.acquire(upTo: 0)
        _ = limiter.acquire(upTo: 1, leaving: 2)
        reported += [limiter.release(-1), limiter.acquire(upTo: 2) == 2, limiter.release(), limiter.release()]
        #expect(reported == [false, false, true, false, false, true, true, false])
    }
}
