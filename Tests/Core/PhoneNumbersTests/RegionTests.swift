import PhoneNumbers
import Testing

@Suite struct RegionTests {
    @Test func `two letters of either case are a region`() {
        #expect(Region("KR") == .korea)
        #expect(Region("kr") == .korea)
        #expect(Region("kR")?.description == "KR")
        #expect(Region("GB")?.description == "GB")
        #expect(Region("GB") != .korea)
    }

    @Test(arguments: ["", "K", "KOR", "K1", "82", " K", "K ", "ﬃ", "é", "ａ", "한", "K\0", "k\u{301}"])
    func `anything else is not`(_ text: String) {
        #expect(Region(text) == nil)
    }

    @Test func `kinds have stable names`() {
        #expect(
            NumberKind.allCases.map(\.rawValue) == [
                "mobile", "legacy_mobile", "fixed_line", "fixed_line_or_mobile", "voip", "personal", "representative",
                "toll_free", "premium", "shared_cost", "pager", "voicemail", "machine",
            ]
        )
    }
}
