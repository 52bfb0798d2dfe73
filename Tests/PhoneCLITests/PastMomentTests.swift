import PhoneCLI
import PhoneDomain
import Testing

@Suite struct PastMomentTests {
    private static let now = Timestamp(seconds: 1_767_225_600)

    @Test(arguments: [
        ("90s", "2025-12-31T23:58:30.000Z"), ("30m", "2025-12-31T23:30:00.000Z"), ("2h", "2025-12-31T22:00:00.000Z"),
        ("7d", "2025-12-25T00:00:00.000Z"), ("0d", "2026-01-01T00:00:00.000Z"),
        ("2025-11-21T09:00:00Z", "2025-11-21T09:00:00.000Z"), ("2025-11-21T09:00:00.250Z", "2025-11-21T09:00:00.250Z"),
        ("2025-11-21T09:00:00+09:00", "2025-11-21T00:00:00.000Z"),
    ])
    func `a time is read`(text: String, moment: String) throws {
        #expect(try #require(PastMoment(text)).moment(now: Self.now).description == moment)
    }

    @Test(arguments: ["", "d", "7", "-7d", "+7d", "7 d", "7w", "1.5h", "9999999d", "yesterday", "2025-11-21", "７d"])
    func `anything else is not`(text: String) {
        #expect(PastMoment(text) == nil)
    }
}
