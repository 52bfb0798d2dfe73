import PhoneDomain
import PhoneSignup
import Testing

@testable import PhoneHTTP
@testable import SMSStub

/// What Twilio's Messages API accepts, and what it refuses.
@Suite struct TwilioMessageRequestTests {
    private static let now = Timestamp(seconds: 1_767_225_600)
    private static let service = "MG" + String(repeating: "0", count: 32)

    private func order(_ form: [String: String], allowsCallbacks: Bool = true) throws(TwilioError) -> StubRequest {
        let fields = ["To": "+821012345678", "Body": "a"].merging(form) { $1 }
        return try TwilioMessageRequest(
            form: FormFields(fields.map { ($0.key, $0.value) }),
            account: "AC1",
            authToken: "t0ken",
            allowsCallbacks: allowsCallbacks
        )
        .message(at: Self.now)
    }

    private func scheduled(_ form: [String: String]) throws(TwilioError) -> StubRequest {
        try order(["MessagingServiceSid": Self.service, "ScheduleType": "fixed"].merging(form) { $1 })
    }

    @Test func takesWhatThereIs() throws {
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: "t0ken"))
        let whole = try scheduled([
            "From": "Acme & Co", "SendAt": "2026-01-01T00:05:00Z", "ValidityPeriod": "36000",
            "StatusCallback": "http://a",
            "SmartEncoded": "true",
        ])
        #expect(
            whole
                == StubRequest(
                    to: "+821012345678",
                    from: "Acme & Co",
                    messagingService: Self.service,
                    body: "a",
                    sendAt: Self.now + .seconds(300),
                    validity: .seconds(36_000),
                    callback: callback
                )
        )
        #expect(try order(["From": "+1"]) == StubRequest(to: "+821012345678", from: "+1", body: "a"))
        // A messaging service may replace a sender.
        let byService = try order(["From": Self.service])
        #expect(byService == StubRequest(to: "+821012345678", from: nil, messagingService: Self.service, body: "a"))
        #expect(try order(["To": "whatsapp:+821012345678", "From": "12345"]).to == "whatsapp:+821012345678")
        #expect(try order(["From": "+1", "ValidityPeriod": "1"]).validity == .seconds(1))
        #expect(try scheduled(["SendAt": "2026-02-05T00:00:00Z"]).sendAt == Self.now + .seconds(35 * 86_400))
    }

    @Test func withoutAMessagingServiceNothingIsScheduled() throws {
        let sent = try order(["From": "+1", "ScheduleType": "fixed", "SendAt": "2026-01-01T01:00:00Z"])
        #expect(sent.sendAt == nil)
    }

    @Test(
        arguments: [
            ([:], 35111), (["ScheduleType": "someday", "SendAt": "2026-01-01T01:00:00Z"], 35126),
            (["SendAt": "2026-01-01T00:04:59Z"], 35114), (["SendAt": "2026-02-05T00:00:01Z"], 35114),
            (["SendAt": "tomorrow"], 35114), (["SendAt": "2025-12-31T00:00:00Z"], 35114),
        ] as [([String: String], Int)]
    )
    func aTimeMustBeOneAhead(_ form: [String: String], code: Int) {
        let error = #expect(throws: TwilioError.self) { try scheduled(form) }
        #expect(error?.code == code)
    }

    @Test func aStubForEveryoneCallsNobodyBack() throws {
        let error = #expect(throws: TwilioError.self) {
            try order(["From": "+1", "StatusCallback": "http://a"], allowsCallbacks: false)
        }
        #expect(error?.code == 21609)
        #expect(error?.message.contains("sms.stub.allow_remote") == true)
        #expect(try order(["From": "+1"], allowsCallbacks: false).callback == nil)
    }
}
