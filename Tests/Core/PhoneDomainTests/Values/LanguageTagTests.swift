import PhoneDomain
import Testing

@Suite struct LanguageTagTests {
    @Test(arguments: [
        ("ko", "ko"), ("KO", "ko"), ("ko-KR", "ko-KR"), ("ko_kr.UTF-8", "ko-KR"), ("en_US@euro", "en-US"),
        ("zh-Hant-TW", "zh-Hant-TW"),
    ])
    func tagsOfBrowsersAndEnvironmentsAreRead(text: String, tag: String) {
        #expect(LanguageTag(text)?.description == tag)
    }

    @Test(arguments: ["", "C", "POSIX", "k", "ko-", "ko--KR", "../etc", "ko/KR", "한국어", "ko-KR-x-y", "en-🙂🙂"])
    func anythingElseIsRefused(text: String) {
        #expect(LanguageTag(text) == nil)
    }

    @Test func languageIsWithoutRegion() {
        #expect(LanguageTag("ko-KR")?.language == "ko")
    }
}
