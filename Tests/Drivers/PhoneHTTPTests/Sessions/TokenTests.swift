import PhoneAccounts
import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct TokenTests {
    private static let worthless = json(
        """
        {"type":"urn:phoneproof:problem:unauthorized",
         "title":"Unauthorized",
         "status":401,
         "detail":"This refresh token is invalid or expired; sign in again.",
         "code":"unauthorized",
         "message":"You're signed out. Sign in again."}
        """
    )

    @Test func eachRefreshTokenBringsTheNextTwo() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            #expect(device.accessToken == "at_1")
            let next = try await server.refresh(device.refreshToken)
            #expect(next.headers["content-type"] == "application/json")
            #expect(next.headers["cache-control"] == "no-store")
            let token = try #require(next.text("refresh_token"))
            next.expect(
                200,
                """
                {"access_token":"at_2",
                 "token_type":"Bearer",
                 "expires_in":900,
                 "refresh_token":"\(token)",
                 "scope":"account"}
                """
            )
            #expect(token != device.refreshToken)
            #expect(token.hasPrefix("rt_00000000000000000000000000000002_"))
            let third = try await server.refresh(token)
            #expect(third.status == 200)
            #expect(third.text("access_token") == "at_3")
            #expect(try await server.send("GET", "/v1/accounts/me", token: "at_3").status == 200)
        }
    }

    @Test func aFormIsTakenAsOAuthsClientsSendIt() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let form = "grant_type=refresh_token&refresh_token=\(device.refreshToken)"
            let type = "application/x-www-form-urlencoded"
            let next = try await server.send("POST", "/v1/tokens", form, type: type)
            #expect(next.status == 200)
            #expect(next.text("access_token") == "at_2")
        }
    }

    /// RFC 6749 section 5.2: clients tell an error from tokens by `error`, and some by the status and the media type.
    @Test(arguments: [
        (
            "grant_type=refresh_token&refresh_token=rt_1", "unauthorized", "invalid_grant",
            "This refresh token is invalid or expired; sign in again."
        ),
        (
            "refresh_token=rt_1&x=1&x=2", "unauthorized", "invalid_grant",
            "This refresh token is invalid or expired; sign in again."
        ),
        (
            "grant_type=password&refresh_token=rt_1", "invalid_request", "unsupported_grant_type",
            "grant_type must be refresh_token."
        ),
        ("grant_type=refresh_token", "invalid_request", "invalid_request", "refresh_token is missing."),
        (
            "grant_type=refresh_token&refresh_token=", "invalid_request", "invalid_request",
            "refresh_token is missing."
        ),
        ("", "invalid_request", "invalid_request", "refresh_token is missing."),
        (
            "grant_type=refresh_token&refresh_token=rt_1&refresh_token=rt_1", "invalid_request", "invalid_request",
            "Send each parameter once."
        ),
    ])
    func aFormIsRefusedAsOAuthsClientsReadIt(_ form: String, code: String, error: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", "/v1/tokens", form, type: "application/x-www-form-urlencoded")
            refused.expect(400, code: code, detail: detail)
            #expect(refused.headers["content-type"] == "application/json")
            #expect(refused.headers["cache-control"] == "no-store")
            #expect(refused.headers["www-authenticate"] == nil)
            #expect(refused.text("error") == error)
            #expect(refused.text("error_description") == detail)
        }
    }

    @Test(arguments: [true, false])
    func eitherTokenRevokesItsSession(_ isByRefreshToken: Bool) async throws {
        try await TestServer.run { server in
            let (device, other) = (try await server.signIn(), try await server.signIn())
            let token = isByRefreshToken ? device.refreshToken : device.accessToken
            // The second time there is nothing left to revoke, which counts as success (RFC 7009 section 2.2).
            for _ in 0..<2 {
                let revoked = try await server.revoke("token=\(token)&token_type_hint=access_token")
                #expect(revoked.status == 200)
                #expect(revoked.body.isEmpty)
                #expect(try await server.refresh(device.refreshToken).status == 401)
                #expect(try await server.send("GET", "/v1/accounts/me", token: device.accessToken).status == 401)
            }
            #expect(try await server.refresh(other.refreshToken).status == 200)
        }
    }

    @Test func whatIsNoTokenIsRevokedAlready() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            for token in ["rt_1", "rt_1&x=1&x=2", "1", "a.b.c", device.refreshToken + "A", "%00", "rt_%ED%86%A0"] {
                let revoked = try await server.revoke("token=\(token)")
                #expect(revoked.status == 200, "\(token)")
                #expect(revoked.body.isEmpty)
            }
            for form in ["", "token=", "token_type_hint=refresh_token", "token=1&token=2"] {
                let refused = try await server.revoke(form)
                #expect(refused.status == 400)
                #expect(refused.text("error") == "invalid_request")
            }
            let json = try await server.send("POST", "/oauth2/revoke", #"{"token":"rt_1"}"#)
            #expect(json.status == 415)
            #expect(try await server.refresh(device.refreshToken).status == 200)
        }
    }

    @Test func anInvalidTokenRevealsNothing() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let key = try await server.key()
            let other = "rt_" + String(repeating: "0", count: 31) + "9" + device.refreshToken.dropFirst(35)
            let changed = device.refreshToken.dropLast() + (device.refreshToken.hasSuffix("A") ? "B" : "A")
            for token in [
                "", "rt_", "rt__", "sgt_1", key, device.accessToken, other, String(changed),
                device.refreshToken + "A", String(device.refreshToken.dropLast()), "rt_\u{0}", "토큰",
                String(repeating: "a", count: 60_000),
            ] {
                let answer = try await server.refresh(token.replacing("\u{0}", with: #"\u0000"#))
                #expect(answer.status == 401, "\(token.prefix(80))")
                #expect(answer.body == Self.worthless)
            }
            // None of them has ended the session.
            #expect(try await server.refresh(device.refreshToken).status == 200)
        }
    }

    @Test(arguments: [
        ("{}", "refresh_token", "refresh_token is missing."),
        (#"{"refresh_token":null}"#, "refresh_token", "refresh_token must be a string."),
        (#"{"refresh_token":1}"#, "refresh_token", "refresh_token must be a string."),
        (#"{"refresh_token":"rt_","grant_type":"password"}"#, "grant_type", "grant_type must be refresh_token."),
        (#"{"refresh_token":"rt_","grant_type":{}}"#, "grant_type", "grant_type must be a string."),
    ])
    func theRequestMustBeOne(_ body: String, field: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", "/v1/tokens", body)
            refused.expect(422, code: "invalid_request")
            #expect(refused.text("field") == field)
            #expect(refused.text("detail") == detail)
        }
    }

    @Test func theGrantTypeMayBeNamed() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let body = #"{"grant_type":"refresh_token","refresh_token":"\#(device.refreshToken)"}"#
            #expect(try await server.send("POST", "/v1/tokens", body).status == 200)
        }
    }

    @Test(arguments: [true, false])
    func aDeviceSignsOutByEitherToken(_ isByRefreshToken: Bool) async throws {
        try await TestServer.run { server in
            let (device, other) = (try await server.signIn(), try await server.signIn())
            let token = isByRefreshToken ? device.refreshToken : device.accessToken
            let out = try await server.send("DELETE", "/v1/tokens", token: token)
            #expect(out.status == 204)
            #expect(out.body.isEmpty)
            #expect(try await server.send("DELETE", "/v1/tokens", token: token).status == 401)
            #expect(try await server.send("GET", "/v1/accounts/me", token: device.accessToken).status == 401)
            #expect(try await server.refresh(device.refreshToken).status == 401)
            #expect(try await server.refresh(other.refreshToken).status == 200)
        }
    }

    @Test func everyDeviceSignsOutAtOnce() async throws {
        try await TestServer.run { server in
            let (device, other) = (try await server.signIn(), try await server.signIn())
            let stranger = try await server.signIn("01099998888")
            for all in ["yes", "1", "TRUE"] {
                let refused = try await server.send("DELETE", "/v1/tokens?all=\(all)", token: device.accessToken)
                refused.expect(422, code: "invalid_request", detail: "all must be true or false.")
            }
            #expect(try await server.send("DELETE", "/v1/tokens?all=true", token: device.accessToken).status == 204)
            #expect(try await server.refresh(device.refreshToken).status == 401)
            #expect(try await server.refresh(other.refreshToken).status == 401)
            #expect(try await server.refresh(stranger.refreshToken).status == 200)
        }
    }

    @Test func aDeviceWhoseAccessTokenIsOverSignsOutByTheOther() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            server.clock.advance(by: .seconds(3600))
            #expect(try await server.send("DELETE", "/v1/tokens", token: device.accessToken).status == 401)
            #expect(try await server.send("DELETE", "/v1/tokens", token: device.refreshToken).status == 204)
        }
    }

    @Test func withoutTheStoreATokenIsNeitherValidNorInvalid() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            server.store.fail(with: Outage())
            let body = #"{"refresh_token":"\#(device.refreshToken)"}"#
            for (method, path, body) in [
                ("POST", "/v1/tokens", body), ("DELETE", "/v1/tokens", nil), ("GET", "/v1/sessions", nil),
                ("GET", "/v1/accounts/me", nil), ("PATCH", "/v1/accounts/me", #"{"metadata":{}}"#),
            ] as [(String, String, String?)] {
                let answer = try await server.send(method, path, body, token: device.accessToken)
                #expect(answer.status == 503)
                #expect(answer.headers["retry-after"] == "5")
            }
            // RFC 7009 section 2.2.1: the client must assume that the token still exists.
            let revoked = try await server.revoke("token=\(device.refreshToken)")
            #expect(revoked.status == 503)
            #expect(revoked.headers["retry-after"] == "5")
            server.store.fail(with: nil)
            #expect(try await server.refresh(device.refreshToken).status == 200)
        }
    }
}

extension TestServer {
    /// Revokes a token as OAuth clients do.
    fileprivate func revoke(_ form: String) async throws -> Answer {
        try await send("POST", "/oauth2/revoke", form, type: "application/x-www-form-urlencoded")
    }
}
