import HangLimit
import PhoneDomain
import Testing
import TextEncodings

@testable import PhoneDelivery

@Suite("The gateway to Vonage", .hangLimit)
struct VonageGatewayTests {
    static func gateway(port: Int, from sender: String = "+15005550006") throws -> VonageGateway {
        VonageGateway(
            account: try #require(VonageAccount(apiKey: "abcd1234", apiSecret: "s3cret-of-it")),
            sender: try #require(VonageSender(sender)),
            address: try #require(EndpointURL(base: "http://127.0.0.1:\(port)/")),
            connectTimeout: .seconds(5)
        )
    }

    @Test(
        "the request is Vonage's, and says whether the text needs Unicode",
        arguments: [
            (
                "+15005550006", "15005550006", "482913 is your code, [Acme] €",
                "482913%20is%20your%20code%2C%20%5BAcme%5D%20%E2%82%AC", "text"
            ),
            ("Acme", "Acme", "인증 482913", "%EC%9D%B8%EC%A6%9D%20482913", "unicode"),
            ("12345", "12345", "482913’", "482913%E2%80%99", "unicode"),
        ]
    )
    func request(sender: String, from: String, text: String, encoded: String, type: String) async throws {
        try await FakeVendor.with(.answer(VonageResponses.answer("0"))) { vendor in
            let receipt = try await Self.gateway(port: vendor.port, from: sender).send(try GatewayTrial.message(text))

            #expect(receipt == GatewayReceipt(messageID: VonageResponses.messageID + "0"))
            let body = "from=\(from)&to=821012345678&text=\(encoded)&type=\(type)&client-ref=msg_1"
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted() == [
                    "Accept: application/json",
                    // Of abcd1234, a colon and s3cret-of-it.
                    "Authorization: Basic YWJjZDEyMzQ6czNjcmV0LW9mLWl0",
                    "Content-Length: \(body.utf8.count)",
                    "Content-Type: application/x-www-form-urlencoded",
                    "POST /sms/json HTTP/1.1",
                    body,
                    "host: 127.0.0.1:\(vendor.port)",
                ]
            )
            #expect(vendor.requests.count == 1)
        }
    }

    @Test("a text of several SMS is known by the first of them")
    func parts() async throws {
        try await FakeVendor.with(.answer(VonageResponses.answer("0", "0"))) { vendor in
            let receipt = try await Self.gateway(port: vendor.port).send(try GatewayTrial.message())
            #expect(receipt == GatewayReceipt(messageID: VonageResponses.messageID + "0"))
        }
    }

    @Test(
        "an answer says what may be done next, and the dispatcher does it",
        arguments: VonageResponses.all + CommonResponses.statuses + CommonResponses.unreadable
    )
    func answers(name: String, behavior: FakeVendor.Behavior, failure: GatewayFailure, outcome: String) async throws {
        try await GatewayTrial.expect((name, behavior, failure, outcome), secrets: ["s3cret", "YWJjZDE"]) {
            try Self.gateway(port: $0)
        }
    }

    @Test("one that hangs after it got the message leaves its fate unknown")
    func hang() async throws {
        try await GatewayTrial.expectSilenceIsAmbiguous { try Self.gateway(port: $0) }
    }

    private static let accounts: [(key: String, secret: String, isOne: Bool)] = [
        ("abcd1234", "s3cret", true), ("abcd123", "s3cret", false), ("abcd12345", "s3cret", false),
        ("abcd-123", "s3cret", false), ("abcd1234", "s3cre", false), ("abcd1234", "s3 cret", false),
        ("abcd1234", String(repeating: "x", count: 129), false),
    ]

    @Test("an account is 8 letters and digits, and a secret", arguments: accounts)
    func account(key: String, secret: String, isOne: Bool) {
        #expect((VonageAccount(apiKey: key, apiSecret: secret) != nil) == isOne)
    }

    @Test("an account shows no secret")
    func silence() throws {
        let account = try #require(VonageAccount(apiKey: "abcd1234", apiSecret: "s3cret"))
        var dumped = ""
        dump(account, to: &dumped)
        #expect("\(account)" == "abcd1234")
        #expect(!(dumped + String(reflecting: account)).contains("s3cret"))
    }

    @Test(
        "a sender is a number or a short name",
        arguments: [
            ("+15005550006", "15005550006"), ("15005550006", "15005550006"), ("123", "123"), ("12", nil),
            ("+123456", nil),
            ("+05005550006", nil), ("++15005550006", nil), ("Acme", "Acme"), ("+Acme", nil), ("Acme Inc", nil),
            ("A2345678901", "A2345678901"), ("A23456789012", nil), ("1234567890123456", nil), ("에이스", nil), ("", nil),
            ("+", nil),
        ]
    )
    func sender(text: String, sender: String?) {
        #expect(VonageSender(text)?.description == sender)
    }
}
