import Testing

@testable import PhoneDomain

@Suite struct RateLimitTests {
    @Test func `a limit is a quota and a time`() throws {
        let limit = try #require(RateLimit("30/1h"))
        #expect(limit == RateLimit(quota: 30, window: .seconds(3600)))
        #expect(
            ["1/1s", "1000000/31d", "5/60m", "5/24h", "5/90s"].map { RateLimit($0)?.window } == [
                .seconds(1), .seconds(2_678_400), .seconds(3600), .seconds(86_400), .seconds(90),
            ]
        )
    }

    @Test func `it is written in the largest unit that fits`() {
        #expect(
            ["30/60m", "30/24h", "30/90s", "30/7d", "007/01h"].map { RateLimit($0)?.description } == [
                "30/1h", "30/1d", "30/90s", "30/7d", "7/1h",
            ]
        )
    }

    @Test(arguments: [
        "", "/", "30", "30/", "/1h", "30/h", "30/1", "30/1w", "30/1H", "30/1h/1h", "30 / 1h", " 30/1h", "30/1h ",
        "0/1h", "-1/1h", "+30/1h", "30/+1h", "30/-1h", "30/0s", "1.5/1h", "30/1.5h", "1000001/1h", "1/32d",
        "1/2678401s", "1/9223372036854775807d", "9223372036854775808/1h", "３０/1h", "30/１h", "30/1h\u{301}", "1e3/1h",
    ])
    func `anything else is none`(_ text: String) {
        #expect(RateLimit(text) == nil)
    }

    @Test func `a time is of whole seconds`() {
        #expect(RateLimit(quota: 1, window: .milliseconds(1500)) == nil)
        #expect(RateLimit(quota: 1, window: .seconds(-1)) == nil)
        #expect(RateLimit(quota: 1, window: .zero) == nil)
    }
}
