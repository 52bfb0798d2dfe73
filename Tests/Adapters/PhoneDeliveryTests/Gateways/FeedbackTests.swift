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
        _ work: (EndpointURL) async throws -> Void
    ) async throws -> [String] {
        try await FakeVendor.with(.answer(answer)) { vendor in
            try await work(try #require(EndpointURL(base: "http://127.0.0.1:\(vendor.port)")))
            #expect(vendor.requests.count == 1)
            return try #require(vendor.requests.first).split(separator: "\r\n", omittingEmptySubsequences: false)
                .map(String.init)
        }
    }

    private func twilio(_ address: EndpointURL, reportsEntries: Bool = true) throws -> TwilioGateway {
        TwilioGateway(
            account: try #require(TwilioAccount(sid: "AC" + String(repeating: "0", count: 32), authToken: "t0ken")),
            sender: try #require(TwilioSender("+15005550006")),
            address: address,
            reportsEntries: reportsEntries,
            connectTimeout: .seconds(5)
        )
    }

    @Test("Twilio has it with the message, which announces it")
    func twilioFeedback() async throws {
        let lines = try await request { address in
            try await twilio(address).reportEntry(of: "SM1", at: Self.moment, code: { nil })
        }
        let account = "AC" + String(repeating: "0", count: 32)
        #expect(lines.first == "POST /2010-04-01/Accounts/\(account)/Messages/SM1/Feedback.json HTTP/1.1")
        #expect(lines.last == "Outcome=confirmed")
        #expect(lines.contains { $0.hasPrefix("Authorization: Basic ") })
        for isOn in [true, false] {
            let sent = try await request(answer: TwilioGatewayTests.taken) { address in
                _ = try await twilio(address, reportsEntries: isOn).send(try vendorMessage())
            }
            #expect(sent.last?.contains("ProvideFeedback=true") == isOn)
        }
        let gateway = try twilio(try #require(EndpointURL(base: "http://127.0.0.1:9")))
        #expect(Self.channels.filter(gateway.takesFeedback) == [.sms])
    }

    @Test("Vonage has it in the query of its Conversion API")
    func vonageFeedback() async throws {
        func gateway(_ conversions: EndpointURL?) throws -> VonageGateway {
            VonageGateway(
                account: try #require(VonageAccount(apiKey: "abcd1234", apiSecret: "s3cret-of-it")),
                sender: try #require(VonageSender("Acme")),
                address: try #require(EndpointURL(base: "http://127.0.0.1:9")),
                conversions: conversions,
                connectTimeout: .seconds(5)
            )
        }
        let lines = try await request { try await gateway($0).reportEntry(of: "0A01", at: Self.moment, code: { nil }) }
        let query = "api_key=abcd1234&api_secret=s3cret-of-it&message-id=0A01&delivered=true"
        #expect(lines.first == "POST /conversions/sms?\(query)&timestamp=2026-01-01%2000%3A00%3A00 HTTP/1.1")
        #expect(Self.channels.filter(try gateway(EndpointURL("http://127.0.0.1:9")).takesFeedback) == [.sms])
        #expect(Self.channels.filter(try gateway(nil).takesFeedback) == [])
    }

    @Test("any other vendor has what is configured, with values escaped for their place")
    func otherFeedback() async throws {
        let body = #"{"id": "{{message_id}}", "at": "{{iso_time}}"}"#
        let lines = try await request { address in
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
            let format = HTTPReportFormat(
                idPointer: try #require(JSONPointer("/id")),
                statusPointer: try #require(JSONPointer("/status")),
                delivered: ["1"],
                undelivered: ["2"]
            )
            let polled = PolledHTTPGateway(gateway, try #require(format), url: "\(address)/{{message_id}}")
            #expect(polled.takesFeedback(by: .call))
            try await polled.reportEntry(of: #"a/"b"#, at: Self.moment, code: { nil })
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
        _ = try await request(answer: response(status, "")) { address in
            let failure = await #expect(throws: GatewayFailure.self) {
                try await twilio(address).reportEntry(of: "SM1", at: Self.moment, code: { nil })
            }
            #expect(failure?.kind.rawValue == kind)
        }
    }
}
