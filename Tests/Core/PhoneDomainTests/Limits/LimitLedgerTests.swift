import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct LimitLedgerTests {
    private let now = Timestamp(seconds: 1_767_225_600)

    private func ledger(_ limits: (name: String, limit: String)..., of subject: String = "x") throws -> LimitLedger {
        let rules = try limits.map { LimitRule($0.name, try #require(RateLimit($0.limit)), of: subject) }
        return LimitLedger(rules) { _ in nil }
    }

    @Test func `a refusal names every limit in the way, and when the last of them is not`() throws {
        var ledger = try ledger(("a", "1/1m"), ("b", "1/1h"), ("c", "2/1d"))
        #expect(ledger.refusal(at: now) == nil)
        ledger.take(.requests, at: now)
        #expect(
            ledger.refusal(at: now + .seconds(59))
                == .rateLimited(
                    policies: [
                        QuotaPolicy(name: "a-1m", quota: 1, window: .seconds(60)),
                        QuotaPolicy(name: "b-1h", quota: 1, window: .seconds(3600)),
                    ],
                    retryAt: now + .seconds(3600)
                )
        )
        #expect(
            ledger.refusal(at: now + .seconds(60))
                == .rateLimited(
                    policies: [QuotaPolicy(name: "b-1h", quota: 1, window: .seconds(3600))],
                    retryAt: now + .seconds(3600)
                )
        )
        #expect(ledger.refusal(at: now + .seconds(3600)) == nil)
    }

    @Test func `asking takes nothing, taking takes one of each`() throws {
        var ledger = try ledger(("a", "2/1m"), ("b", "4/1h"))
        for _ in 0..<10 { _ = ledger.refusal(at: now) }
        #expect(ledger.meters == [:])
        ledger.take(.requests, at: now)
        #expect(
            ledger.meters == [
                LimitKey(rawValue: "a-1m x"): RateMeter(fullAt: (now + .seconds(30)).milliseconds * 1000),
                LimitKey(rawValue: "b-1h x"): RateMeter(fullAt: (now + .seconds(900)).milliseconds * 1000),
            ]
        )
    }

    @Test func `no limits refuse nothing`() {
        var ledger = LimitLedger.none
        ledger.take(.requests, at: now)
        #expect(ledger.refusal(at: now) == nil)
        #expect(ledger.meters == [:])
    }

    @Test func `what a clock that was ahead left behind closes nothing that is everybody's`() throws {
        let limit = try #require(RateLimit("2/1m"))
        let ahead = RateMeter(fullAt: (now + .seconds(86_400)).milliseconds * 1000)
        var ledger = LimitLedger([
            LimitRule("a", limit, of: "203.0.113.7"), LimitRule("b", limit, of: "KR", .messages),
        ]) { _ in ahead }
        ledger.prune(at: now)
        #expect(ledger.meters[LimitKey(rawValue: "b-1m KR")] == .unused)
        #expect(
            ledger.refusal(at: now)
                == .rateLimited(
                    policies: [QuotaPolicy(name: "a-1m", quota: 2, window: .seconds(60))],
                    retryAt: now + .seconds(30)
                )
        )
    }

    @Test func `what a clock that was ahead left behind is mended even where it refuses`() throws {
        let rule = LimitRule("a", try #require(RateLimit("2/1m")), of: "")
        var ledger = LimitLedger([rule]) { _ in RateMeter(fullAt: .max) }
        ledger.prune(at: now)
        #expect(
            ledger.refusal(at: now)
                == .rateLimited(
                    policies: [QuotaPolicy(name: "a-1m", quota: 2, window: .seconds(60))],
                    retryAt: now + .seconds(30)
                )
        )
        ledger.prune(at: now + .seconds(30))
        #expect(ledger.refusal(at: now + .seconds(30)) == nil)
    }
}
