import PhoneDomain
import Testing

/// What is served to the machine itself is not served through a proxy on it or a browser that was led astray.
@Suite struct LocalCallersTests {
    private static let local = ["GET /v1/verifications/ver_1", "GET /stub/messages", "GET /inbox"]

    @Test(arguments: [
        ["Host": "evil.example"], ["Host": "localhost.evil.example:80"], ["Host": "127.0.0.1.evil.example"],
        ["Host": "[::1].evil.example"], ["Host": "verify.example.com"], ["X-Forwarded-For": "203.0.113.7"],
        ["Forwarded": "for=203.0.113.7"], ["X-Real-IP": "203.0.113.7"], ["Via": "1.1 proxy"],
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

    @Test func aSignupIsForEveryone() async throws {
        try await TestServer.run { server in
            let headers = ["Host": "verify.example.com", "X-Forwarded-For": "203.0.113.7"]
            let begun = try await server.send("POST", "/v1/signups", "{}", headers: headers)
            #expect(begun.status == 201)
        }
    }
}
