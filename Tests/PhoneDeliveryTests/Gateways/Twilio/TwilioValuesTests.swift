import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("What a Twilio gateway is made of")
struct TwilioValuesTests {
    private static let digits = String(repeating: "0aF9", count: 8)

    private static let accounts: [(sid: String, token: String, isOne: Bool)] = [
        ("AC\(digits)", "t0ken", true),
        ("AC\(digits)", "", false),
        ("AC\(digits)", "to ken", false),
        ("AC\(digits)", "tökén", false),
        ("AC\(digits)", String(repeating: "x", count: 128), true),
        ("AC\(digits)", String(repeating: "x", count: 129), false),
        ("SK\(digits)", "t0ken", false),
        ("AC\(digits.dropLast())", "t0ken", false),
        ("AC\(digits)0", "t0ken", false),
        ("AC\(digits.dropLast())g", "t0ken", false),
        ("AC\(digits.dropLast())/", "t0ken", false),
        ("", "t0ken", false),
    ]

    @Test("an account is AC, 32 hexadecimal digits and a token", arguments: accounts)
    func account(sid: String, token: String, isOne: Bool) {
        #expect((TwilioAccount(sid: sid, authToken: token) != nil) == isOne)
    }

    @Test("an account shows no token")
    func silence() throws {
        let account = try #require(TwilioAccount(sid: "AC" + Self.digits, authToken: "t0ken"))
        var dumped = ""
        dump(account, to: &dumped)
        #expect("\(account)" == "AC" + Self.digits)
        #expect(!(dumped + String(reflecting: account)).contains("t0ken"))
    }

    private static let senders: [(text: String, isOne: Bool)] = [
        ("+15005550006", true), ("+1234567", true), ("+123456", false), ("+1234567890123456", false),
        ("+01234567", false), ("++1234567", false), ("12345", true), ("12", false), ("123456789", false),
        ("MG\(digits)", true), ("MG\(digits.dropLast())", false), ("Acme", true), ("Acme Inc 24", true),
        ("Acme Inc 245", false), (" Acme", false), ("Acme ", false), ("에이스", false), ("A-B", false), ("", false),
        ("A&To=", false),
    ]

    @Test("a sender is a number, a short code, a messaging service or a short name", arguments: senders)
    func sender(text: String, isOne: Bool) {
        #expect((TwilioSender(text)?.description == text) == isOne)
    }

    @Test(
        "an address is http or https and a host",
        arguments: [
            ("https://api.twilio.com", "https://api.twilio.com"), ("http://127.0.0.1:8081/", "http://127.0.0.1:8081"),
            ("https://proxy/twilio//", "https://proxy/twilio"), ("ftp://api.twilio.com", nil), ("api.twilio.com", nil),
            ("https://", nil), ("https://me:secret@host", nil), ("https://host?x=1", nil), ("https://host#x", nil),
            ("", nil),
        ]
    )
    func address(text: String, address: String?) {
        #expect(EndpointURL(base: text)?.description == address)
    }
}
