import PhoneAccounts
import Testing

@Suite struct UserCodeTests {
    @Test(arguments: [
        "WDJB-MJHT", "wdjbmjht", " WDJB MJHT ", "w.d.j.b-m.j.h.t", "WDJB\u{2013}MJHT", "ＷＤＪＢ－ｍｊｈｔ", "WDJB\u{3000}MJHT",
    ])
    func itIsReadAsPeopleTypeIt(text: String) {
        #expect(UserCode(typed: text)?.description == "WDJB-MJHT")
    }

    @Test(arguments: [
        "", "-", "WDJB-MJH", "WDJB-MJHTT",
        "WDJB-MJHA", "WDJB-MJH1", "WDJB-MJH\u{212A}", "WDJB_MJHT", "WDJB-MJHT\u{301}",
        String(repeating: "-", count: 60) + "WDJB-MJHT",
    ])
    func nothingElseIsOne(text: String) {
        #expect(UserCode(typed: text) == nil)
    }
}
