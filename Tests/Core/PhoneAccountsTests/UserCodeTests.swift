import PhoneDomain
import Testing

@testable import PhoneAccounts

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

    /// PostgreSQL refuses a text with a zero byte.
    @Test func theStoreIsAskedForNothingButKeysOfDevices() {
        let (key, secret) = (String(repeating: "k", count: 43), String(repeating: "s", count: 43))
        #expect(DeviceAuthorization.key(in: SecretToken("dc_\(key)_\(secret)")) == key)
        for wrong in ["\0", "é", "+", "=", " ", "\u{301}"] {
            #expect(DeviceAuthorization.key(in: SecretToken("dc_" + wrong + key.dropFirst() + "_" + secret)) == nil)
            #expect(DeviceAuthorization.key(in: SecretToken("dc_" + key.dropFirst() + wrong + "_" + secret)) == nil)
        }
    }
}
