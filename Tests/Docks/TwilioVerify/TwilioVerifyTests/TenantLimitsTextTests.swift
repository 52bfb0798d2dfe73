import PhoneDomain
import PhoneSignup
import Testing

@testable import TwilioVerify

@Suite struct TenantLimitsTextTests {
    private func limit(
        _ serial: UInt64,
        _ name: String,
        _ text: String,
        _ buckets: [String] = []
    ) throws -> TenantLimit {
        TenantLimit(
            id: TenantLimit.ID(bits: 0, serial),
            uniqueName: try #require(UniqueName(name)),
            text: text,
            buckets: try buckets.enumerated().map { index, limit in
                TenantLimit.Bucket(
                    id: TenantLimit.Bucket.ID(bits: serial, UInt64(index)),
                    limit: try #require(RateLimit(limit)),
                    createdAt: Timestamp(milliseconds: 5),
                    updatedAt: Timestamp(milliseconds: 6)
                )
            },
            createdAt: Timestamp(milliseconds: 3),
            updatedAt: Timestamp(milliseconds: -4)
        )
    }

    @Test func `the text form has a line for each limit and each bucket`() throws {
        #expect([TenantLimit]().rawText == "")
        let limits = [try limit(1, "end_user", "who asks", ["4/1m", "100/1d"]), try limit(2, "ip", "")]
        #expect(
            limits.rawText == """
                L 00000000000000000000000000000001 3 -4 end_user who asks
                B 00000000000000010000000000000000 5 6 4 60
                B 00000000000000010000000000000001 5 6 100 86400
                L 00000000000000000000000000000002 3 -4 ip\u{20}
                """
        )
        #expect([TenantLimit](rawText: limits.rawText) == limits)
        #expect([TenantLimit](rawText: "") == [])
    }

    @Test(arguments: ["B 1 2 3 4 5", " two  blanks ", "e\u{301}", "\u{301}", "a\r", "\u{200D}", "가게 🙂", "L", "'\\"])
    func `whatever a limit is for is read back as it was`(text: String) throws {
        let limits = [try limit(1, "a.b-c_D", text, ["1/1s"]), try limit(2, "x", text)]
        let read = try #require([TenantLimit](rawText: limits.rawText))
        #expect(read == limits)
        #expect(read.map { Array($0.text.utf8) } == limits.map { Array($0.text.utf8) })
    }

    @Test(arguments: [
        "x", "L", "L 1 3 4 a b", "L 00000000000000000000000000000001 3 4 a",
        "L 00000000000000000000000000000001 3 x a b",
        "L 00000000000000000000000000000001 3 4 ä b", "B 00000000000000000000000000000001 3 4 5 60",
        "L 00000000000000000000000000000001 3 4 a b\nB 00000000000000000000000000000001 3 4 0 60",
        "L 00000000000000000000000000000001 3 4 a b\nB 00000000000000000000000000000001 3 4 5 0",
        "L 00000000000000000000000000000001 3 4 a b\nC 00000000000000000000000000000001 3 4 5 60",
    ])
    func `nothing else is a list of limits`(rawText: String) {
        #expect([TenantLimit](rawText: rawText) == nil)
    }
}
