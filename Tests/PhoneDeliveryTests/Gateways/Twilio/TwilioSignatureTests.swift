import OpenSSLCrypto
import Testing

@testable import PhoneDelivery

@Suite("Twilio's signature")
struct TwilioSignatureTests {
    private static let fields = [
        ("Digits", "1234"), ("CallSid", "CA1234567890ABCDE"), ("To", "+18005551212"), ("Caller", "+14158675309"),
        ("From", "+14158675309"),
    ]
    private let url = "https://mycompany.com/myapp.php?foo=1&bar=2"

    private func text(_ url: String, _ fields: [(String, String)], token: String = "12345") throws -> String {
        try TwilioSignature(authenticator: OpenSSLRequestAuthenticator()).text(url: url, fields: fields, token: token)
    }

    /// The first from https://github.com/twilio/twilio-python/blob/main/tests/unit/test_request_validator.py, the
    /// others by its `RequestValidator`.
    @Test("is that of Twilio's own libraries")
    func vectors() throws {
        #expect(try text(url, Self.fields) == "RSOYDt4T1cUTdK1PDd93/VVr8B8=")
        #expect(try text(url, []) == "zYQTYrRWXE7LtzbG4PfP7/bkkGo=")
        // Small letters come after all capitals, and values stand in the order of their bytes, each once.
        #expect(
            try text(url, [("b", "2"), ("B", "가"), ("a", "z"), ("a", "Z"), ("a", "z")])
                == "ftlqzDyPwALCZQmtAToyh08wS1Q="
        )
    }

    @Test("is another for another address, field or token, and the same in whatever order the fields come")
    func differs() throws {
        let whole = "RSOYDt4T1cUTdK1PDd93/VVr8B8="
        #expect(try text(url, Self.fields.reversed()) == whole)
        #expect(try text(url + "0", Self.fields) != whole)
        #expect(try text(url, Self.fields, token: "12346") != whole)
        #expect(try text(url, Array(Self.fields.dropLast())) != whole)
    }
}
