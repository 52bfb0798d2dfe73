import PhoneDomain
import Testing

@testable import SMSStub

@Suite("Who is notified of a message's status in the SMS stub")
struct StubCallbackTests {
    private func callback(_ url: String) -> StubCallback? {
        StubCallback(url: url, account: "AC1", authToken: "t0ken")
    }

    @Test(
        "has an address of the web",
        arguments: [
            "http://a", "https://a", "HTTPS://A.example:8443/x?y=z&q=%20", "http://127.0.0.1:65535", "http://a?b",
            "http://[::1]/", "http://[::ffff:1.2.3.4]:80/x", "http://a-b.example./", "http://a/[?@:]",
        ]
    )
    func takes(url: String) {
        #expect(callback(url)?.url == url)
    }

    @Test(
        "has none that is another's, or none at all",
        arguments: [
            "", "a", "//a", "/a", "ftp://a", "http:/a", "http://", "http:///x", "http://:80", "http://user@a/",
            "http://u:p@a/", "http://a/#f", "http://a b/", "http://a/\n", "http://가/", "javascript:alert(1)",
            "http://a/" + String(repeating: "x", count: 2040),
        ]
    )
    func refuses(url: String) {
        #expect(callback(url) == nil)
    }

    @Test("its description shows neither the token nor the address")
    func secrecy() throws {
        let callback = try #require(StubCallback(url: "http://a/secret", account: "AC1", authToken: "t0ken"))
        var dumped = ""
        dump(callback, to: &dumped)
        for text in ["\(callback)", String(reflecting: callback), dumped, "\([callback])"] {
            #expect(text.contains("AC1"))
            #expect(!text.contains("t0ken"))
            #expect(!text.contains("secret"))
        }
    }
}
