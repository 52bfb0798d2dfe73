import PhoneDomain
import PhoneTestSupport
import Testing

/// Calls of Twilio's 2010 API, and what it returns where there is nothing.
@Suite struct TwilioCallTests {
    private static let account = "AC0123456789abcdef0123456789ABCDEF"
    private static let path = "/2010-04-01/Accounts/\(account)"
    private static let form = "application/x-www-form-urlencoded"
    private static let midnight = "Thu, 01 Jan 2026 00:00:00 +0000"

    private static func call(_ status: String, hasEnded: Bool) -> String {
        let end = hasEnded ? "\"\(midnight)\"" : "null"
        return json(
            """
            {"account_sid":"\(account)",
             "annotation":null,
             "answered_by":null,
             "api_version":"2010-04-01",
             "caller_name":null,
             "date_created":"\(midnight)",
             "date_updated":"\(midnight)",
             "direction":"outbound-api",
             "duration":\(hasEnded ? "\"0\"" : "null"),
             "end_time":\(end),
             "forwarded_from":null,
             "from":"+15005550006",
             "from_formatted":"+15005550006",
             "group_sid":null,
             "parent_call_sid":null,
             "phone_number_sid":null,
             "price":null,
             "price_unit":"USD",
             "queue_time":"0",
             "sid":"CA00000000000000000000000000000001",
             "start_time":\(end),
             "status":"\(status)",
             "subresource_uris":{},
             "to":"+821012345678",
             "to_formatted":"+821012345678",
             "trunk_sid":null,
             "uri":"\(path)/Calls/CA00000000000000000000000000000001.json"}
            """
        )
    }

    @Test func `a call is shown with the messages, and is none`() async throws {
        try await TestServer.run { server in
            let form =
                "To=%2B821012345678&From=%2B15005550006&Url=https%3A%2F%2Fapp.example%2F314159%2F&Method=GET&Timeout=15"
            let made = try await server.send("POST", Self.path + "/Calls.json", form, type: Self.form)
            made.expect(201, Self.call("queued", hasEnded: false))
            let name = "CA00000000000000000000000000000001"
            let shown = try await server.send("GET", Self.path + "/Calls/\(name).json")
            #expect(shown.body == Self.call("completed", hasEnded: true))
            let messages = try await server.send("GET", "/stub/messages")
            #expect(messages.text("to") == "+821012345678")
            #expect(messages.text("body") == "https://app.example/314159/")
            #expect(try await server.send("GET", "/inbox").body.contains("Call to +82 10-1234-5678"))

            let listed = try await server.send("GET", Self.path + "/Messages.json")
            #expect(listed.body.contains(#""messages":[]"#))
            for path in [
                "/Messages/\(name).json", "/Calls/SM00000000000000000000000000000001.json", "/Calls/\(name)",
            ] {
                #expect(try await server.send("GET", Self.path + path).status == 404, "\(path)")
            }
        }
    }

    @Test(arguments: ["Messages.json", "Calls.json"])
    func `no number begins with a zero`(_ resource: String) async throws {
        try await TestServer.run { server in
            let form = "To=%2B0821012345678&From=%2B15005550006&Body=a&Url=a"
            let refused = try await server.send("POST", "\(Self.path)/\(resource)", form, type: Self.form)
            let message = "The 'To' number is not a valid phone number: write + and its digits."
            #expect(refused.body == twilioError(21211, message, 400))
        }
    }

    @Test func `every error has the body of Twilio's`() async throws {
        try await TestServer.run { server in
            let nothing = "There is no such path."
            for path in [
                "/2010-04-01", "/2010-04-01/", "/2010-04-01/Accounts", "\(Self.path)/Balance.json",
                "\(Self.path)/Conferences.json", "/2010-04-01/Accounts/a/b/c/d/e",
            ] {
                let answer = try await server.send("GET", path)
                #expect(answer.body == twilioError(20404, nothing, 404), "\(path)")
                #expect(answer.headers["content-type"] == "application/json")
            }
            let undecodable = try await server.server.sendRaw("GET /2010-04-01/%FF HTTP/1.1")
            #expect(undecodable.body == twilioError(20404, nothing, 404))
            let other = try await server.send("GET", "/2010-04-01x")
            #expect(other.text("code") == "not_found")
        }
    }

    @Test(arguments: [
        ("DELETE", "Accounts/x/Messages.json", "GET, HEAD, OPTIONS, POST"),
        ("PATCH", "Accounts/x/Messages/y.json", "GET, HEAD, OPTIONS"),
        ("GET", "Accounts/x/Calls.json", "OPTIONS, POST"),
    ])
    func `a wrong method gets the allowed ones`(_ method: String, path: String, allowed: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(method, "/2010-04-01/" + path)
            answer.expect(405, twilioError(20004, "This path allows \(allowed).", 405))
            #expect(answer.headers["allow"] == allowed)
            let options = try await server.send("OPTIONS", "/2010-04-01/" + path)
            #expect(options.status == 204)
            #expect(options.headers["allow"] == allowed)
        }
    }

    @Test func `callers from elsewhere and bodies that are too long are refused as by Twilio`() async throws {
        try await TestServer.run { server in
            for (method, path) in [
                ("GET", "/Messages.json"), ("POST", "/Messages.json"), ("POST", "/Calls.json"),
            ] {
                let refused = try await server.send(method, Self.path + path, headers: ["Host": "evil.example"])
                #expect(refused.status == 401)
                #expect(refused.body.hasPrefix(#"{"code":20003,"message":"Only programs on this machine"#))
                #expect(
                    refused.body.hasSuffix(#""more_info":"https://www.twilio.com/docs/errors/20003","status":401}"#)
                )
                #expect(refused.headers["www-authenticate"] == #"Basic realm="Twilio API""#)
            }
            let long = "To=%2B821012345678&From=%2B15005550006&Body=" + String(repeating: "a", count: 70_000)
            for path in ["Messages.json", "Calls.json"] {
                let refused = try await server.send("POST", "\(Self.path)/\(path)", long, type: Self.form)
                #expect(refused.status == 413)
                #expect(refused.body.hasPrefix(#"{"code":20413,"message":""#))
            }
            let put = try await server.send("PUT", "\(Self.path)/Messages.json")
            #expect(put.status == 405)
            #expect(put.body.hasPrefix(#"{"code":20004,"message":"This path allows "#))
        }
    }
}
