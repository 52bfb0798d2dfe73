import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import SMSStub

/// The stub as a program sees it that sends by Twilio.
@Suite struct TwilioMessageTests {
    private static let account = "AC0123456789abcdef0123456789ABCDEF"
    private static let path = "/2010-04-01/Accounts/\(account)"
    private static let form = "application/x-www-form-urlencoded"

    private static func message(
        number: Int = 1,
        dateSent: String,
        errorCode: String = "null",
        errorMessage: String = "null",
        from: String = #""+15005550006""#,
        service: String = "null",
        segments: String = "1",
        status: String
    ) -> String {
        json(
            """
            {"account_sid":"AC0123456789abcdef0123456789ABCDEF",
             "api_version":"2010-04-01",
             "body":"[PhoneProof] 314159 & more",
             "date_created":"Thu, 01 Jan 2026 00:00:00 +0000",
             "date_sent":\(dateSent),
             "date_updated":"Thu, 01 Jan 2026 00:00:00 +0000",
             "direction":"outbound-api",
             "error_code":\(errorCode),
             "error_message":\(errorMessage),
             "from":\(from),
             "messaging_service_sid":\(service),
             "num_media":"0",
             "num_segments":"\(segments)",
             "price":null,
             "price_unit":"USD",
             "sid":"SM0000000000000000000000000000000\(number)",
             "status":"\(status)",
             "subresource_uris":{},
             "to":"+821012345678",
             "uri":"/2010-04-01/Accounts/AC0123456789abcdef0123456789ABCDEF/Messages/\
            SM0000000000000000000000000000000\(number).json"}
            """
        )
    }

    private static let delivered = message(dateSent: #""Thu, 01 Jan 2026 00:00:00 +0000""#, status: "delivered")
    private static let body = "To=%2B821012345678&From=%2B15005550006&Body=%5BPhoneProof%5D+314159%20%26%20more"

    /// Checked with `date -u -R -d @…`; the first is Twilio's own example.
    @Test(arguments: [
        (1_692_853_305, "Thu, 24 Aug 2023 05:01:45 +0000"),
        (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
        (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        (-604_800, "Thu, 25 Dec 1969 00:00:00 +0000"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 +0000"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 +0000"),
    ])
    func writesDatesAsEmailHasThem(_ seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).rfc2822 == text)
    }

    @Test func acceptsAMessageAndShowsItsStatus() async throws {
        try await TestServer.run { server in
            let sent = try await server.send("POST", Self.path + "/Messages.json", Self.body, type: Self.form)
            sent.expect(201, Self.message(dateSent: "null", status: "queued"))
            #expect(sent.headers["content-type"] == "application/json")

            let seen = try await server.send("GET", Self.path + "/Messages/SM00000000000000000000000000000001.json")
            seen.expect(200, Self.delivered)
        }
    }

    @Test func aMessagingServiceStandsInForASender() async throws {
        try await TestServer.run { server in
            let service = "MG00000000000000000000000000000007"
            let body = Self.body.replacing("From=%2B15005550006", with: "MessagingServiceSid=\(service)")
            let sent = try await server.send("POST", Self.path + "/Messages.json", body, type: Self.form)
            #expect(
                sent.body
                    == Self.message(
                        dateSent: "null",
                        from: "null",
                        service: #""MG00000000000000000000000000000007""#,
                        segments: "0",
                        status: "accepted"
                    )
            )
        }
    }

    @Test func aLostMessageSaysWhy() async throws {
        try await TestServer.run { server in
            _ = try await server.send("PUT", "/stub/behavior", #"{"mode":"fail","error_code":30003}"#)
            let sent = try await server.send("POST", Self.path + "/Messages.json", Self.body, type: Self.form)
            sent.expect(201, Self.message(dateSent: "null", status: "queued"))
            let seen = try await server.send("GET", Self.path + "/Messages/SM00000000000000000000000000000001.json")
            #expect(
                seen.body
                    == Self.message(
                        dateSent: #""Thu, 01 Jan 2026 00:00:00 +0000""#,
                        errorCode: "30003",
                        errorMessage: #""The message was not delivered""#,
                        status: "undelivered"
                    )
            )
        }
    }

    @Test func aRefusalIsAnErrorOfFourMembers() async throws {
        try await TestServer.run { server in
            _ = try await server.send("PUT", "/stub/behavior", #"{"mode":"reject"}"#)
            let refused = try await server.send("POST", Self.path + "/Messages.json", Self.body, type: Self.form)
            refused.expect(400, twilioError(21610, "The stub is set to reject messages.", 400))
            #expect(refused.headers["content-type"] == "application/json")
            #expect(await server.inbox.messages(to: nil, limit: 1).isEmpty)
        }
    }

    @Test func ofAMessageThatIsNotThereItSaysSo() async throws {
        try await TestServer.run { server in
            let paths = [
                Self.path + "/Messages/SM00000000000000000000000000000009.json", Self.path + "/Messages/x",
                "/2010-04-01/Accounts/AC1/Messages.json", "/2010-04-01/Accounts/..%2F/Messages/SM1.json",
            ]
            for path in paths {
                let refused = try await server.send("GET", path)
                refused.expect(404, twilioError(20404, "The requested resource was not found", 404))
            }
        }
    }

    @Test func listsPageByPage() async throws {
        try await TestServer.run { server in
            for body in [Self.body, Self.body.replacing("821012345678", with: "82101111"), Self.body] {
                _ = try await server.send("POST", Self.path + "/Messages.json", body, type: Self.form)
            }
            let query = "To=%2B821012345678&PageSize=1"
            let base = Self.path + "/Messages.json?" + query
            let first = try await server.send("GET", base)
            first.expect(
                200,
                """
                {"first_page_uri":"\(base)&Page=0",
                 "end":0,
                 "previous_page_uri":null,
                 "messages":[\(Self.message(
                    number: 3,
                    dateSent: #""Thu, 01 Jan 2026 00:00:00 +0000""#,
                    status: "delivered"
                 ))],
                 "uri":"\(base)&Page=0",
                 "page_size":1,
                 "start":0,
                 "next_page_uri":"\(base)&Page=1&PageToken=PA3",
                 "page":0}
                """
            )
            let second = try await server.send("GET", try #require(first.text("next_page_uri")))
            #expect(
                second.body
                    == json(
                        """
                        {"first_page_uri":"\(base)&Page=0",
                         "end":1,
                         "previous_page_uri":null,
                         "messages":[\(Self.delivered)],
                         "uri":"\(base)&Page=1",
                         "page_size":1,
                         "start":1,
                         "next_page_uri":null,
                         "page":1}
                        """
                    )
            )
            let all = try await server.send("GET", Self.path + "/Messages.json?PageSize=zero&Page=-1")
            #expect(all.body.contains(#""page_size":50,"start":0,"next_page_uri":null,"page":0}"#))
        }
    }

    @Test(
        arguments: [
            ("Basic QUMxOnQwa2Vu", "t0ken"), ("basic QUMxOnQwa2VuOg==", "t0ken:"), ("Basic OmE=", "a"),
            ("Basic OmE", "a"),
            ("Basic QUMxOg==", nil), ("Basic QUMx", nil), ("Basic QUMxOnQwa2Vu=x", nil),
            ("Basic !!!!", nil), ("Bearer QUMxOnQwa2Vu", nil), ("Basic", nil), (nil, nil), ("Basic Ov8=", nil),
            ("Basic QUMx Onk=", nil), ("Basic QTrqsIDwn5iA+/8=", nil), ("Basic QTrqsIA+Pz8/Pj4=", "가>???>>"),
        ] as [(String?, String?)]
    )
    func whatItShowsIsWhatItIsCalledBackUnder(_ authorization: String?, token: String?) async throws {
        try await TestServer.run { server in
            let sent = try await server.send(
                "POST",
                Self.path + "/Messages.json",
                "To=%2B82&From=%2B1&Body=x&StatusCallback=http%3A%2F%2Fa%2Fb%3Fc%3Dd",
                type: Self.form,
                headers: authorization.map { ["Authorization": $0] } ?? [:]
            )
            #expect(sent.status == 201)
            let callback = try #require(await server.inbox.calledBack.first { _ in true }?.request.callback)
            #expect(callback.url == "http://a/b?c=d")
            #expect(callback.account == Self.account)
            #expect(callback.authToken == token)
        }
    }
}
