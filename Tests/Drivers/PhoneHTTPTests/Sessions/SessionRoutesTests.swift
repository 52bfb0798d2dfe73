import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct SessionRoutesTests {
    @Test func theHolderSeesEveryDevice() async throws {
        try await TestServer.run { server in
            let phone = try await server.signIn(headers: ["User-Agent": "Phone/1 (\u{1F4F1}; 2)"])
            let laptop = try await server.signIn()
            _ = try await server.signIn("01099998888", headers: ["User-Agent": "Stranger/1"])
            server.clock.advance(by: .seconds(10))
            _ = try await server.refresh(phone.refreshToken)
            let seen = try await server.send("GET", "/v1/sessions", token: laptop.accessToken)
            let laptopID = try #require(laptop.answer.body.firstMatch(of: /"verification":{"id":"ver_([0-9a-f]+)"/)).1
            seen.expect(
                200,
                """
                {"sessions":[{"id":"ses_\(laptopID)",
                 "user_agent":null,
                 "created_at":"2026-01-01T00:02:00.000Z",
                 "last_used_at":"2026-01-01T00:02:00.000Z",
                 "expires_at":"2026-01-31T00:02:00.000Z",
                 "is_current":true},
                 {"id":"ses_00000000000000000000000000000002",
                 "user_agent":"Phone/1 (; 2)",
                 "created_at":"2026-01-01T00:01:00.000Z",
                 "last_used_at":"2026-01-01T00:03:10.000Z",
                 "expires_at":"2026-01-31T00:03:10.000Z",
                 "is_current":false}]}
                """
            )
        }
    }

    @Test func theHolderEndsOneOfTheirs() async throws {
        try await TestServer.run { server in
            let (phone, laptop) = (try await server.signIn(), try await server.signIn())
            let path = "/v1/sessions/" + id("ses", 2)
            let ended = try await server.send("DELETE", path, token: laptop.accessToken)
            #expect(ended.status == 204)
            #expect(try await server.refresh(phone.refreshToken).status == 401)
            #expect(try await server.send("GET", "/v1/accounts/me", token: laptop.accessToken).status == 200)
            let again = try await server.send("DELETE", path, token: laptop.accessToken)
            again.expect(
                404,
                code: "session_not_found",
                detail: "The account has no such session, or it has ended; GET /v1/sessions lists its sessions.",
                message: "This device is already signed out."
            )
        }
    }

    @Test func anothersIsAsGoodAsNone() async throws {
        try await TestServer.run { server in
            let mine = try await server.signIn()
            let theirs = try await server.signIn("01099998888")
            for path in ["ses", "ver", "acc"].map({ id($0, 2) }) + [id("ses", 77), "ses_2", "%00", "me"] {
                let refused = try await server.send("DELETE", "/v1/sessions/" + path, token: theirs.accessToken)
                refused.expect(404, code: "session_not_found")
            }
            #expect(try await server.refresh(mine.refreshToken).status == 200)
        }
    }
}
