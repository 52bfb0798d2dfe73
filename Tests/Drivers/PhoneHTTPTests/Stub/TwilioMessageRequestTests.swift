import Testing

@testable import PhoneHTTP
@testable import SMSStub

/// What Twilio's Messages API accepts, and what it refuses.
@Suite struct TwilioMessageRequestTests {
    private static let service = "MG" + String(repeating: "0", count: 32)

    private func request(_ form: FormFields, allowsCallbacks: Bool = true) -> TwilioMessageRequest {
        TwilioMessageRequest(form: form, account: "AC1", authToken: "t0ken", allowsCallbacks: allowsCallbacks)
    }

    private func order(_ form: [String: String], allowsCallbacks: Bool = true) throws(TwilioError) -> StubRequest {
        let fields = ["To": "+821012345678", "Body": "a"].merging(form) { $1 }
        return try request(FormFields(fields.map { ($0.key, $0.value) }), allowsCallbacks: allowsCallbacks).message()
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

    @Test(arguments: [
        ("From=%2B1&Body=x", 21604), ("To=&From=%2B1&Body=x", 21604), ("To=%2B82&Body=x", 21603),
        ("To=%2B82&From=%2B1", 21602), ("", 21604), ("&&==&%", 21604),
        ("To=%2B82&From=%2B1&Body=" + String(repeating: "x", count: 1601), 21617),
        ("To=82&From=%2B1&Body=x", 21211), ("To=%2B82a&From=%2B1&Body=x", 21211), ("To=:%2B82&From=%2B1&Body=x", 21211),
        ("To=%2B1234567890123456&From=%2B1&Body=x", 21211), ("To=%2B82&From=%2B&Body=x", 21212),
        ("To=%2B82&From=12&Body=x", 21212), ("To=%2B82&From=TwelveLetter&Body=x", 21212),
        ("To=%2B82&From=MG1&MessagingServiceSid=MG1&Body=x", 21701),
        ("To=%2B82&From=%2B1&ContentSid=HX1", 21602), ("To=%2B82&From=%2B1&Body=x&StatusCallback=a", 21609),
        (#"{"To":"+82","From":"+1","Body":"x"}"#, 21604),
    ])
    func whatIsMissingIsNamedByItsCode(_ form: String, code: Int) {
        let error = #expect(throws: TwilioError.self) { try request(Request.formFields(in: form)).message() }
        #expect(error?.code == code)
    }

    @Test(arguments: [
        ("From=%2B15005550006&Url=a", 21201), ("To=%2B821012345678&Url=a", 21213),
        ("To=%2B821012345678&From=%2B15005550006", 21205), ("To=%2B0821012345678&From=%2B15005550006&Url=a", 21211),
        ("To=01012345678&From=%2B15005550006&Url=a", 21211), ("To=%2B821012345678&From=Acme&Url=a", 21212),
    ])
    func aCallThatCannotBeIsRefusedAsByTwilio(_ form: String, code: Int) {
        let error = #expect(throws: TwilioError.self) { try request(Request.formFields(in: form)).call() }
        #expect(error?.code == code)
    }
}
