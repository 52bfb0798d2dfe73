import PhoneDomain
import PhoneTestSupport
import Testing

/// What is served to the same machine is not served through a proxy on it or by DNS rebinding.
@Suite struct LocalCallersTests {
    private static let local = ["GET /v1/verifications/ver_1", "GET /stub/messages", "GET /inbox", "GET /inbox/events"]

    @Test(arguments: [
        ["Host": "evil.example"], ["Host": "localhost.evil.example:80"], ["Host": "127.0.0.1.evil.example"],
        ["Host": "[::1].evil.example"], ["Host": "verify.example.com"], ["X-Forwarded-For": "203.0.113.7"],
        ["Forwarded": "for=203.0.113.7"], ["X-Forwarded-Proto": "https"], ["CF-Connecting-IP": "203.0.113.7"],
        ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
        ["X-Real-IP": "203.0.113.7"], ["Via": "1.1 proxy"],
    ])
    func othersAreRefused(headers: [String: String]) async throws {
        try await TestServer.run { server in
            for call in Self.local {
                let parts = call.split(separator: " ").map(String.init)
                let answer = try await server.send(parts[0], parts[1], headers: headers)
                #expect(answer.status == 401, "\(call)")
                #expect(answer.body.contains(#""code":"unauthorized""#))
            }
        }
    }

    @Test(arguments: ["127.0.0.1:8080", "localhost", "LOCALHOST:1", "[::1]:8080"])
    func theMachineItselfIsServed(host: String) async throws {
        try await TestServer.run { server in
            let messages = try await server.send("GET", "/stub/messages", headers: ["Host": host])
            #expect(messages.status == 200)
            let verification = try await server.send("GET", "/v1/verifications/ver_1", headers: ["Host": host])
            #expect(verification.status == 404)
        }
    }

    @Test func theStubIsServedAtNamesThatItWasGivenAndNothingElseIs() async throws {
        try await TestServer.run(stubHosts: ["api.twilio.com", "kiosk.example"]) { server in
            for host in ["api.twilio.com", "API.Twilio.com:443", "KIOSK.example"] {
                let account = "AC" + String(repeating: "0", count: 32)
                for path in ["/stub/messages", "/inbox", "/2010-04-01/Accounts/\(account)/Messages.json"] {
                    #expect(try await server.send("GET", path, headers: ["Host": host]).status == 200, "\(path)")
                }
                let verification = try await server.send("GET", "/v1/verifications/ver_1", headers: ["Host": host])
                #expect(verification.status == 401)
                #expect(try await server.send("GET", "/metrics", headers: ["Host": host]).status == 401)
            }
            for headers in [
                ["Host": "twilio.com"], ["Host": "\u{212A}iosk.example"], ["Host": "api.twilio.com.evil.example"],
                ["Host": "api.twilio.com", "X-Forwarded-For": "203.0.113.7"],
                ["Host": "api.twilio.com", "Origin": "https://evil.example"],
            ] {
                #expect(try await server.send("GET", "/stub/messages", headers: headers).status == 401)
            }
        }
    }

    @Test func theStubsOwnPageIsServed() async throws {
        try await TestServer.run { server in
            let headers = ["Origin": "http://127.0.0.1:8080", "Sec-Fetch-Site": "same-origin"]
            let messages = try await server.send("GET", "/stub/messages", headers: headers)
            #expect(messages.status == 200)
        }
    }

    @Test func aSignupIsForEveryone() async throws {
        try await TestServer.run { server in
            let headers = ["Host": "verify.example.com", "X-Forwarded-For": "203.0.113.7"]
            let begun = try await server.send("POST", "/v1/signups", "{}", headers: headers)
            #expect(begun.status == 201)
        }
    }
}
