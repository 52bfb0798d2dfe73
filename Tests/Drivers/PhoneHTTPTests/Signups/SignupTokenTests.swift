import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct SignupTokenTests {
    @Test func aSecondTapIsGivenTheSameRefreshToken() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let answers = try await atOnce(8) { _ in try await signup.signUp() }
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
            let signup = try await server.beginSignup("01012345678")
            let device = try await Device(signup.signUp())
            #expect(try await server.refresh(device.refreshToken).status == 200)
            let again = try await signup.signUp()
            #expect(again.status == 201)
            #expect(again.body.hasSuffix(#""tokens":null}"#))
        }
    }

    @Test func aSignedOutSessionIsNotOpenedAgain() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            let device = try await Device(signup.signUp())
            #expect(try await server.send("DELETE", "/v1/tokens", token: device.accessToken).status == 204)
            #expect(try await signup.signUp().body.hasSuffix(#""tokens":null}"#))
            #expect(try await server.refresh(device.refreshToken).status == 401)
        }
    }

    @Test func anAccountWhoseTokensCannotBeMadeIsReturnedAndGetsThemLater() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            server.accessTokens.setKey(false)
            let refused = try await signup.signUp()
            refused.expect(503, code: "unavailable")
            #expect(refused.headers["retry-after"] == "5")
            #expect(refused.body.contains(#""account":{"id":"acc_00000000000000000000000000000004""#))
            #expect(!refused.body.contains("rt_"))
            server.clock.advance(by: .seconds(5))
            #expect(try await signup.signUp().status == 503)
            server.accessTokens.setKey(true)
            #expect(try await signup.signUp("").status == 409)
            let signedUp = try await signup.signUp()
            #expect(signedUp.status == 201)
            let device = try Device(signedUp)
            #expect(try await server.refresh(device.refreshToken).status == 200)
            #expect(await server.store.accountCount == 1)
        }
    }

    /// The token of a signup lives longer than its power to open a session.
    @Test func theTokenOfASignupOpensNoSessionLater() async throws {
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            _ = try await signup.signUp()
            server.clock.advance(by: .seconds(70))
            let late = try await signup.signUp()
            #expect(late.status == 409)
            #expect(!late.body.contains("rt_"))
            let seen = try await signup.show()
            #expect(!seen.body.contains("tokens"))
        }
    }
}
