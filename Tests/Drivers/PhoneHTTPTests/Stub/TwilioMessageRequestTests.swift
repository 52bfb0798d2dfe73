import Testing

@testable import PhoneHTTP
@testable import SMSStub

/// What Twilio's Messages API accepts, and what it refuses.
@Suite struct TwilioMessageRequestTests {
    private static let service = "MG" + String(repeating: "0", count: 32)

    private func order(_ form: [String: String], allowsCallbacks: Bool = true) throws(TwilioError) -> StubRequest {
        let fields = ["To": "+821012345678", "Body": "a"].merging(form) { $1 }
        return try TwilioMessageRequest(
            form: FormFields(fields.map { ($0.key, $0.value) }),
            account: "AC1",
            authToken: "t0ken",
            allowsCallbacks: allowsCallbacks
        )
        .message()
    }

    @Test func takesWhatThereIs() throws {
        let callback = try #require(StubCallback(url: "http://a", account: "AC1", authToken: "t0ken"))
        let whole = try order([
            "From": "Acme & Co", "MessagingServiceSid": Self.service, "StatusCallback": "http://a",
            "SmartEncoded": "true", "ScheduleType": "fixed", "SendAt": "2026-01-01T00:05:00Z",
        ])
        #expect(
            whole
                == StubRequest(
                    to: "+821012345678",
                    from: "Acme & Co",
                    messagingService: Self.service,
                    body: "a",
                    callback: callback
                )
        )
        #expect(try order(["From": "+1"]) == StubRequest(to: "+821012345678", from: "+1", body: "a"))
        // A messaging service may replace a sender.
        let byService = try order(["From": Self.service])
        #expect(byService == StubRequest(to: "+821012345678", from: nil, messagingService: Self.service, body: "a"))
        #expect(try order(["To": "whatsapp:+821012345678", "From": "12345"]).to == "whatsapp:+821012345678")
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
