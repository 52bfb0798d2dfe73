import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct SignedInOnlyTests {
    private static let calls: [(method: String, path: String, body: String?)] = [
        ("DELETE", "/v1/tokens", nil), ("GET", "/v1/sessions", nil), ("DELETE", "/v1/sessions/" + id("ses", 2), nil),
        ("GET", "/v1/accounts/me", nil), ("PATCH", "/v1/accounts/me", #"{"metadata":{"a":1}}"#),
        ("DELETE", "/v1/accounts/me", nil), ("GET", "/v1/accounts/me/export", nil),
        ("POST", "/v1/accounts/me/number-changes", #"{"phone_number":"01087654321"}"#),
        ("GET", "/v1/accounts/me/number-changes/" + id("ver", 2), nil),
        ("DELETE", "/v1/accounts/me/number-changes/" + id("ver", 2), nil),
        ("POST", "/v1/accounts/me/number-changes/" + id("ver", 2) + "/checks", #"{"code":"314159"}"#),
    ]

    @Test func nobodyIsServedWithoutAToken() async throws {
        try await TestServer.run { server in
            _ = try await server.signIn()
            for (method, path, body) in Self.calls {
                for headers in [[:], ["Authorization": "Basic YTpi"], ["Authorization": "Bearer"]] {
                    let refused = try await server.send(method, path, body, headers: headers)
                    #expect(refused.headers["www-authenticate"] == #"Bearer realm="phoneproof""#)
                    refused.expect(
                        401,
                        code: "unauthorized",
                        detail: "Send the access token from the signup: Authorization: Bearer …."
                    )
                }
            }
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func anotherTokenIsNone() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let key = try await server.key("shop", Set(APIScope.allCases))
            for (method, path, body) in Self.calls {
                for token in ["sgt_1", key, "at_2", "at_", "eyJhbGciOiJub25lIn0.e30.", "rt_"] {
                    try await Self.expectNothing(of: server.send(method, path, body, token: token))
                }
                guard path != "/v1/tokens" else { continue }
                try await Self.expectNothing(of: server.send(method, path, body, token: device.refreshToken))
            }
            #expect(try await server.send("GET", "/v1/accounts/me", token: device.accessToken).status == 200)
        }
    }

    private static func expectNothing(of answer: Answer) {
        #expect(answer.headers["www-authenticate"] == #"Bearer realm="phoneproof", error="invalid_token""#)
        answer.expect(
            401,
            code: "unauthorized",
            detail: "The access token is invalid or expired; refresh it, or sign in again.",
            message: "You're signed out. Sign in again."
        )
    }

    /// The other way round: an access token opens nothing else.
    @Test func anAccessTokenIsNoKeyAndNoTokenOfASignup() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            for token in [device.accessToken, device.refreshToken] {
                let key = try await server.send("GET", "/v1/phone-numbers/01012345678", token: token)
                #expect(key.status == 401)
                let signup = try await server.send("GET", "/v1/signups/" + id("sgn", 1), token: token)
                #expect(signup.status == 404)
            }
        }
    }
}
