import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct NumberChangeTests {
    private static let me = "/v1/accounts/me"
    private static let path = "/v1/accounts/me/number-changes"

    /// Requests a code and returns the path of the verification.
    private static func begin(
        _ server: TestServer,
        _ device: Device,
        _ phoneText: String = "010-8765-4321"
    ) async throws -> String {
        server.clock.advance(by: .seconds(60))
        let begun = try await server.send(
            "POST",
            path,
            #"{"phone_number":"\#(phoneText)"}"#,
            token: device.accessToken
        )
        #expect(begun.status == 201, "\(begun.body)")
        return try #require(begun.headers["location"])
    }

    private static func check(
        _ server: TestServer,
        _ device: Device,
        _ path: String,
        _ body: String? = #"{"code":"314159"}"#
    ) async throws -> Answer {
        try await server.send("POST", path + "/checks", body, token: device.accessToken)
    }

    @Test func theNewNumberIsProvenFirst() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            server.clock.advance(by: .seconds(60))
            let begun = try await server.send(
                "POST",
                Self.path,
                #"{"phone_number":"010-8765-4321","region":"KR","locale":"ko"}"#,
                token: device.accessToken
            )
            #expect(begun.status == 201)
            let path = Self.path + "/" + id("ver", 5)
            #expect(begun.headers["location"] == path)
            let pending = verification(
                5,
                of: "+821087654321",
                nationalFormat: "010-8765-4321",
                createdAt: "2026-01-01T00:02:00.000Z",
                expiresAt: "2026-01-01T00:12:00.000Z",
                nextSendAt: "2026-01-01T00:02:30.000Z"
            )
            #expect(begun.body == pending)
            let seen = try await server.send("GET", path, token: device.accessToken)
            seen.expect(200, pending)
            #expect(
                try await server.send("GET", Self.me, token: device.accessToken).text("phone_number") == "+821012345678"
            )

            let wrong = try await Self.check(server, device, path, #"{"code":"314158"}"#)
            wrong.expect(422, code: "code_incorrect")
            #expect(wrong.body.hasSuffix(#""checks_left":4}"#))

            let changed = try await Self.check(server, device, path, #"{"code":"314 159"}"#)
            changed.expect(
                200,
                """
                {"id":"acc_00000000000000000000000000000004",
                 "phone_number":"+821087654321",
                 "national_format":"010-8765-4321",
                 "phone_number_verified":true,
                 "phone_number_since":"2026-01-01T00:02:00.000Z",
                 "created_at":"2026-01-01T00:01:00.000Z",
                 "last_active_at":"2026-01-01T00:01:00.000Z",
                 "metadata":{},
                 "deletion_due_at":null,
                 "consent":null}
                """
            )
            #expect(try await server.send("GET", Self.me, token: device.accessToken).body == changed.body)
            // The notice to the old number is queued.
            #expect(await server.store.outbox.map(\.isNotice) == [false, false, true])
        }
    }

    @Test func theCodeIsSentAgain() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let path = try await Self.begin(server, device)
            let body = #"{"phone_number":"+821087654321"}"#
            let early = try await server.send("POST", Self.path, body, token: device.accessToken)
            early.expect(429, code: "resend_too_soon")
            #expect(early.headers["retry-after"] == "30")
            server.clock.advance(by: .seconds(30))
            let again = try await server.send("POST", Self.path, body, token: device.accessToken)
            #expect(again.status == 200)
            #expect(again.headers["location"] == nil)
            #expect(Self.path + "/" + (again.text("id") ?? "") == path)
            #expect(again.body.contains(#""sends_left":3"#))
        }
    }

    @Test func aNumberChangeIsCanceled() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let path = try await Self.begin(server, device)
            for _ in 0..<2 {
                let canceled = try await server.send("DELETE", path, token: device.accessToken)
                #expect(canceled.status == 200)
                #expect(canceled.body.contains(#""status":"canceled""#))
            }
            let refused = try await Self.check(server, device, path)
            refused.expect(409, code: "verification_closed")
        }
    }

    /// Not to another device of the same account either: the proof is bound to the session.
    @Test func itBelongsToTheSessionThatAsked() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let others = [try await server.signIn(), try await server.signIn("01099998888")]
            let path = try await Self.begin(server, device)
            for other in others {
                for (method, tail, body) in [
                    ("GET", "", nil), ("DELETE", "", nil), ("POST", "/checks", #"{"code":"314159"}"#),
                ] as [(String, String, String?)] {
                    let refused = try await server.send(method, path + tail, body, token: other.accessToken)
                    refused.expect(404, code: "verification_not_found")
                }
            }
            let own = Self.path + "/" + id("ver", 2)
            // The verification that opened the session belongs to the signup.
            #expect(try await Self.check(server, device, own).status == 404)
            #expect(try await Self.check(server, device, Self.path + "/ver_5").status == 404)
            #expect(try await Self.check(server, device, path).status == 200)
        }
    }

    /// Only someone who has verified a number learns whether it has an account.
    @Test func aNumberThatAnotherAccountHasIsNotToBeHad() async throws {
        try await TestServer.run { server in
            let (device, other) = (try await server.signIn(), try await server.signIn("01087654321"))
            let path = try await Self.begin(server, device)
            for _ in 0..<2 {
                let taken = try await Self.check(server, device, path)
                taken.expect(
                    409,
                    code: "number_taken",
                    detail: "Another account has this number; use another number, or sign in to that account.",
                    message: "This number is already used by another account."
                )
            }
            let mine = try await server.send("GET", Self.me, token: device.accessToken)
            #expect(mine.text("phone_number") == "+821012345678")
            let theirs = try await server.send("GET", Self.me, token: other.accessToken)
            #expect(theirs.text("phone_number") == "+821087654321")
        }
    }

    @Test func aCodeIsNeeded() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let path = try await Self.begin(server, device)
            for (body, detail) in [
                ("{}", "code is missing."), (nil, "code is missing."),
                (#"{"code":null}"#, "code must be a string."),
            ] as [(String?, String)] {
                let refused = try await Self.check(server, device, path, body)
                refused.expect(422, code: "invalid_request", detail: detail)
            }
            let malformed = try await Self.check(server, device, path, #"{"code":"12"}"#)
            #expect(malformed.text("detail") == "The code must have 6 digits.")
            server.clock.advance(by: .seconds(600))
            let late = try await Self.check(server, device, path)
            late.expect(410, code: "code_expired")
        }
    }

    @Test func limitsKnowTheAddress() async throws {
        var policy = AbusePolicy.none
        policy.limits.sendsByAddress = [try #require(RateLimit("2/1h"))]
        try await TestServer.run(abusePolicy: policy) { server in
            let device = try await server.signIn()
            _ = try await Self.begin(server, device)
            server.clock.advance(by: .seconds(60))
            let refused = try await server.send(
                "POST",
                Self.path,
                #"{"phone_number":"010-5555-6666"}"#,
                token: device.accessToken
            )
            #expect(refused.status == 429)
            #expect(refused.body.contains(#""violated_policies":["address-sends-1h"]"#))
        }
    }
}
