import CoreEncodings
import OpenSSLCrypto
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

@Suite("The HTTP client of gateways", .hangLimit)
struct GatewayClientTests {
    private let client = GatewayClient(connectTimeout: .seconds(5))

    private func get(_ port: Int, scheme: String = "http") async throws(GatewayFailure) -> GatewayResponse {
        try await client.get("\(scheme)://127.0.0.1:\(port)/a:b?c=d%20e", headers: [("x-key", "k1")])
    }

    @Test("a GET has no body, and its URL is sent as it is")
    func question() async throws {
        try await FakeVendor.with(.answer(response(200, "{}", "Retry-After: 7"))) { vendor in
            let parent = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")
            let answer = try await TraceParent.$current.withValue(parent) { try await get(vendor.port) }

            #expect(answer == GatewayResponse(status: 200, retryAfter: .seconds(7), body: Array("{}".utf8)))
            let lines = try #require(vendor.requests.first).split(separator: "\r\n").map(String.init)
            #expect(
                lines.sorted() == [
                    "Accept: application/json",
                    "GET /a:b?c=d%20e HTTP/1.1",
                    "host: 127.0.0.1:\(vendor.port)",
                    "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "x-key: k1",
                ]
            )
        }
    }

    @Test("a byte order mark before the JSON is no reason not to know what became of a message")
    func byteOrderMark() async throws {
        let marked = FakeVendor.Behavior.answer(response(200, "\u{FEFF}{}"))
        #expect(try await FakeVendor.with(marked) { try await get($0.port) }.json == [:])
    }

    @Test("a GET without a response may be retried, whatever happened")
    func noAnswer() async throws {
        for behavior in [FakeVendor.Behavior.reset, .answerAndClose(""), .answer("SSH-2.0-OpenSSH_9.2\r\n\r\n")] {
            try await FakeVendor.with(behavior) { vendor in
                let failure = await #expect(throws: GatewayFailure.self) { _ = try await get(vendor.port) }
                #expect(failure?.kind == .retry)
                #expect(failure?.text.hasSuffix("127.0.0.1:\(vendor.port))") == true)
            }
        }
        try await FakeVendor.with(.hang) { vendor in
            let asking = Task { try await get(vendor.port) }
            try await vendor.hasRead(1)
            asking.cancel()
            await #expect(
                throws: GatewayFailure.retry("the gateway was not reached in time").because(
                    of: "127.0.0.1:\(vendor.port)"
                )
            ) {
                try await asking.value
            }
        }
    }

    @Test("an incomplete or endless response has its status", arguments: [9, 70_000])
    func halfAnAnswer(length: Int) async throws {
        let text = String(repeating: "x", count: length - 1)
        let half = FakeVendor.Behavior.answerAndClose("HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\n\(text)")
        let answer = try await FakeVendor.with(half) { try await get($0.port) }
        #expect(answer == GatewayResponse(status: 200, body: nil))
    }

    private static let statuses: [(status: Int, failure: GatewayFailure?)] = [
        (200, nil), (202, nil), (299, nil),
        (301, .failover("the gateway redirected the request", code: 301)),
        (400, .failover("the gateway refused the message", code: 400)),
        (401, .failover("the account was refused", code: 401)),
        (403, .failover("the account was refused", code: 403)),
        (404, .failover("the gateway refused the message", code: 404)),
        (408, .retry(after: .seconds(3), "the gateway is slow", code: 408)),
        (425, .retry(after: .seconds(3), "the gateway is slow", code: 425)),
        (429, .busy(after: .seconds(3), "the gateway is busy", code: 429)),
        (500, .retry(after: .seconds(3), "the gateway is down", code: 500)),
        (599, .retry(after: .seconds(3), "the gateway is down", code: 599)),
        (600, .ambiguous("the response is malformed", code: 600)),
    ]

    @Test("what a status alone means", arguments: statuses)
    func status(status: Int, failure: GatewayFailure?) {
        #expect(GatewayResponse(status: status, retryAfter: .seconds(3), body: nil).statusFailure == failure)
    }

    @Test(
        "a wait is in seconds or until a date, and at most a day",
        arguments: [
            (nil, nil), ("0", .zero), ("86401", .seconds(86_400)), ("-1", nil), ("soon", nil),
            ("Fri, 31 Dec 1999 23:59:59 GMT", nil), ("99999999999999999999", nil),
            ("Thu, 01 Jan 2026 00:00:35 GMT", .seconds(35)), ("Thursday, 01-Jan-26 00:00:35 GMT", .seconds(35)),
            ("Thu Jan  1 00:00:35 2026", .seconds(35)), ("Sat, 03 Jan 2026 00:00:00 GMT", .seconds(86_400)),
            ("Thu, 01 Jan 2026 00:00:00 GMT", nil), ("Thu, 32 Jan 2026 00:00:00 GMT", nil),
        ] as [(String?, Duration?)]
    )
    func wait(text: String?, wait: Duration?) {
        #expect(GatewayResponse.wait(text, at: Timestamp(seconds: 1_767_225_600)) == wait)
    }

    @Test("a form is escaped but for the unreserved characters")
    func form() {
        let form = URLEncodedForm([("a b", "가&="), ("+", "-._~Az09"), ("", "")])
        #expect(String(decoding: form.bytes, as: UTF8.self) == "a%20b=%EA%B0%80%26%3D&%2B=-._~Az09&=")
    }

    @Test(
        "an ID stands in logs as it is, or as a digest",
        arguments: [
            ("SM0-_z", true), (String(repeating: "a", count: 64), true), (String(repeating: "a", count: 65), false),
            ("a b", false), ("a\n", false), ("é", false), ("a/b", false), ("m-1012345678", false),
        ]
    )
    func name(text: String, isPlain: Bool) throws {
        let number = try PhoneNumber(e164: "+821012345678")
        let name = try GatewayMessageID(text).name(for: number, OpenSSLRequestAuthenticator())
        #expect(isPlain ? name == text : name.wholeMatch(of: /sha256:[0-9a-f]{32}/) != nil)
    }
}
