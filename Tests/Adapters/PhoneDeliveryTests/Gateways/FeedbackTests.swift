import CoreEncodings
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneDelivery

/// That a code was entered, as each vendor's documents have it.
@Suite("Feedback in a vendor's own words", .hangLimit)
struct FeedbackTests {
    private static let moment = Timestamp(milliseconds: 1_767_225_600_789)
    private static let channels: [Channel] = [.sms, .call, .whatsapp, .kakaotalk, .telegram, .rcs]

    /// The request that a vendor gets, line by line.
    private func request(
        answer: String = response(201, "{}"),
        _ work: (_ port: Int) async throws -> Void
    ) async throws -> [String] {
        try await FakeVendor.with(.answer(answer)) { vendor in
            try await work(vendor.port)
            #expect(vendor.requests.count == 1)
            return try #require(vendor.requests.first).split(separator: "\r\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    @Test("Twilio has it with the message, which announces it")
    func twilioFeedback() async throws {
        let lines = try await request { port in
            try await TwilioGatewayTests.gateway(port: port).report(codeEntry(of: "SM1", at: Self.moment))
        }
        let account = "AC" + String(repeating: "a1", count: 16)
        #expect(lines.first == "POST /2010-04-01/Accounts/\(account)/Messages/SM1/Feedback.json HTTP/1.1")
        #expect(lines.last == "Outcome=confirmed")
        #expect(lines.contains { $0.hasPrefix("Authorization: Basic ") })
        for isOn in [true, false] {
            let sent = try await request(answer: TwilioGatewayTests.taken) { port in
                let gateway = try TwilioGatewayTests.gateway(port: port, reportsEntries: isOn)
                _ = try await gateway.send(try vendorMessage())
            }
            #expect(sent.last?.contains("ProvideFeedback=true") == isOn)
        }
        let gateway = try TwilioGatewayTests.gateway(port: 9, reportsEntries: true)
        #expect(Self.channels.filter(gateway.takesFeedback) == [.sms])
    }

    @Test("Vonage has it in the query of its Conversion API")
    func vonageFeedback() async throws {
        func gateway(_ port: Int?) throws -> VonageGateway {
            let conversions = port.flatMap { EndpointURL(base: "http://127.0.0.1:\($0)") }
            return try VonageGatewayTests.gateway(port: 9, conversions: conversions)
        }
        let lines = try await request { try await gateway($0).report(codeEntry(of: "0A01", at: Self.moment)) }
        let query = "api_key=abcd1234&api_secret=s3cret-of-it&message-id=0A01&delivered=true"
        #expect(lines.first == "POST /conversions/sms?\(query)&timestamp=2026-01-01%2000%3A00%3A00 HTTP/1.1")
        #expect(Self.channels.filter(try gateway(9).takesFeedback) == [.sms])
        #expect(Self.channels.filter(try gateway(nil).takesFeedback) == [])
    }

    @Test("any other vendor has what is configured, with values escaped for their place")
    func otherFeedback() async throws {
        let body = #"{"id": "{{message_id}}", "at": "{{iso_time}}"}"#
        let lines = try await request { port in
            let address = "http://127.0.0.1:\(port)"
            let url = "\(address)/m/{{message_id}}?at={{iso_time}}"
            let feedback = try #require(HTTPFeedback(url: url, body: body))
            let gateway = HTTPGateway(
                configuration: try HTTPGatewayConfiguration(
                    url: try #require(RequestURL("\(address)/send")),
                    method: .put,
                    format: .json,
                    headers: ["Authorization: Bearer {{secret}}", "X-Message: {{id}}", "Content-Type: text/json"],
                    body: #"{"to": "{{to}}", "text": "{{body}}"}"#,
                    sender: nil,
                    secret: "s3cret",
                    verdicts: try #require(HTTPGatewayVerdicts()),
                    isIdempotent: false
                ),
                feedback: feedback,
                access: try HTTPGatewayExample.access()
            )
            #expect(Self.channels.allSatisfy(gateway.takesFeedback))
            try await gateway.report(codeEntry(of: #"a/"b"#, at: Self.moment))
        }
        #expect(lines.first == "POST /m/a%2F%22b?at=2026-01-01T00%3A00%3A00Z HTTP/1.1")
        #expect(lines.last == #"{"id": "a/\"b", "at": "2026-01-01T00:00:00Z"}"#)
        #expect(lines.contains("Authorization: Bearer s3cret"))
        #expect(lines.contains("Content-Type: text/json"))
        #expect(!lines.contains { $0.hasPrefix("X-Message") })
    }

    @Test(
        "a request for it has a URL, and the message's ID in it or in its body",
        arguments: [
            ("https://a.example/{{message_id}}", "", true), ("https://a.example/", "id={{message_id}}", true),
            ("https://a.example/", "id={{id}}", false), ("a.example/{{message_id}}", "", false), ("", "", false),
        ]
    )
    func configured(url: String, body: String, isOne: Bool) {
        #expect((HTTPFeedback(url: url, body: body) != nil) == isOne)
    }

    @Test(
        "what passes is tried again, and what is refused is not",
        arguments: [
            (503, "retry"), (429, "retry"), (504, "ambiguous"), (402, "failover"), (404, "failover"), (302, "failover"),
        ]
    )
    func failures(status: Int, kind: String) async throws {
        _ = try await request(answer: response(status, "")) { port in
            let failure = await #expect(throws: GatewayFailure.self) {
                try await TwilioGatewayTests.gateway(port: port).report(codeEntry(of: "SM1"))
            }
            #expect(failure?.kind.rawValue == kind)
        }
    }
}
