import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct SignupTokenTests {
    private static let path = "/v1/signups/" + id("sgn", 1)
    private static let code = #"{"code_text":"314159"}"#

    private static func send(_ server: TestServer) async throws {
        _ = try await server.send("POST", "/v1/signups")
        _ = try await server.send("POST", path + "/send", #"{"phone_text":"01012345678"}"#, token: "sgt_1")
    }

    private static func signUp(_ server: TestServer, _ body: String = code) async throws -> Answer {
        try await server.send("POST", path + "/sign-up", body, token: "sgt_1")
    }

    @Test func aSecondTapIsGivenTheSameRefreshToken() async throws {
        try await TestServer.run { server in
            try await Self.send(server)
            let answers = try await atOnce(8) { _ in try await Self.signUp(server) }
            #expect(answers.map(\.status) == Array(repeating: 201, count: 8))
            #expect(answers.allSatisfy { $0.headers["cache-control"] == "no-store" })
            #expect(Set(answers.map { $0.text("refresh_token") }).count == 1)
            let device = try Device(answers[0])
            let sessions = try await server.send("GET", "/v1/sessions", token: device.accessToken)
            #expect(sessions.body.matches(of: /"id":"ses_/).count == 1)
        }
    }

    @Test func usedTokensAreNotReturnedAgain() async throws {
        try await TestServer.run { server in
            try await Self.send(server)
            let device = try Device(try await Self.signUp(server))
            #expect(try await server.refresh(device.refreshToken).status == 200)
            let again = try await Self.signUp(server)
            #expect(again.status == 201)
            #expect(again.body.hasSuffix(#""tokens":null}"#))
        }
    }

    @Test func aSignedOutSessionIsNotOpenedAgain() async throws {
        try await TestServer.run { server in
            try await Self.send(server)
            let device = try Device(try await Self.signUp(server))
            #expect(try await server.send("DELETE", "/v1/tokens", token: device.accessToken).status == 204)
            #expect(try await Self.signUp(server).body.hasSuffix(#""tokens":null}"#))
            #expect(try await server.refresh(device.refreshToken).status == 401)
        }
    }

    @Test func anAccountWhoseTokensCannotBeMadeIsReturnedAndGetsThemLater() async throws {
        try await TestServer.run { server in
            try await Self.send(server)
            server.accessTokens.setKey(false)
            let refused = try await Self.signUp(server)
            #expect(refused.status == 503)
            #expect(refused.headers["retry-after"] == "5")
            #expect(refused.text("code") == "unavailable")
            #expect(refused.body.contains(#""account":{"id":"acc_00000000000000000000000000000004""#))
            #expect(!refused.body.contains("rt_"))
            server.clock.advance(by: .seconds(5))
            #expect(try await Self.signUp(server).status == 503)
            server.accessTokens.setKey(true)
            #expect(try await Self.signUp(server, #"{"code_text":""}"#).status == 409)
            let signedUp = try await Self.signUp(server)
            #expect(signedUp.status == 201)
            let device = try Device(signedUp)
            #expect(try await server.refresh(device.refreshToken).status == 200)
            #expect(await server.store.accountCount == 1)
        }
    }

    /// The token of a signup lives longer than its power to open a session.
    @Test func theTokenOfASignupOpensNoSessionLater() async throws {
        try await TestServer.run { server in
            try await Self.send(server)
            _ = try await Self.signUp(server)
            server.clock.advance(by: .seconds(70))
            let late = try await Self.signUp(server)
            #expect(late.status == 409)
            #expect(!late.body.contains("rt_"))
            let seen = try await server.send("GET", Self.path, token: "sgt_1")
            #expect(!seen.body.contains("tokens"))
        }
    }
}
