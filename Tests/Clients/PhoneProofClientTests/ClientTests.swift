import PhoneNumbers
import PhoneProofClient
import PhoneSignup
import PhoneTestSupport
import Testing

/// Verifications by a server, and what is repeated when.
@Suite struct ClientTests {
    private static let pending = #"""
        {"id": "ver_1", "phone_number": "+821012345678", "national_format": "010-1234-5678", "channel": "sms", \#
        "status": "pending", "expires_in": 600, "next_send_in": 30, "sends_left": 4, "checks_left": 5, \#
        "reference": "order 4711", "tags": {"campaign": "spring"}}
        """#
    private static let approved = pending.replacing("pending", with: "approved")

    private func verifications(_ transport: ScriptedTransport) throws -> VerificationClient {
        try #require(transport.client()).verifications(apiKey: "pk_1")
    }

    @Test func aNumberIsVerified() async throws {
        let transport = ScriptedTransport(
            .response(201, Self.pending),
            .response(200, Self.approved),
            .response(200, Self.approved),
            .response(200, Self.pending.replacing("pending", with: "canceled"))
        )
        let client = try verifications(transport)
        let begun = try await client.begin(
            "010-1234-5678",
            region: .korea,
            channel: .call,
            locale: "ko",
            clientAddress: "203.0.113.7",
            isVouched: true,
            reference: "order 4711",
            tags: ["plan": "free", "campaign": "spring"]
        )
        #expect(begun.reference == "order 4711" && begun.tags == ["campaign": "spring"])
        #expect(begun.phoneNumber == "+821012345678")
        #expect(begun.nationalFormat == "010-1234-5678")
        #expect(begun.expiresAt == Timestamp(seconds: 1600))
        #expect(begun.sendsLeft == 4 && begun.checksLeft == 5 && !begun.isApproved)
        #expect(try await client.check("123456", of: begun.id).isApproved)
        #expect(try await client.verification("ver_1").isApproved)
        #expect(try await client.cancel("../admin?x").status == "canceled")
        #expect(
            transport.requests == [
                #"""
                POST /v1/verifications {"phone_number":"010-1234-5678","region":"KR","channel":"call","locale":"ko",\#
                "client_address":"203.0.113.7","reference":"order 4711",\#
                "tags":{"campaign":"spring","plan":"free"},"vouched":true}
                """#,
                #"POST /v1/verifications/ver_1/checks {"code":"123456"}"#,
                "GET /v1/verifications/ver_1",
                "DELETE /v1/verifications/..%2Fadmin%3Fx",
            ]
        )
        #expect(transport.headers("Authorization") == ["Bearer pk_1", "Bearer pk_1", "Bearer pk_1", "Bearer pk_1"])
        #expect(transport.headers("Idempotency-Key") == [#""key-1""#, #""key-2""#, nil, nil])
    }

    /// What comes before the answer that counts, how often the client asks and how long it waits.
    @Test(
        arguments: [
            ([.lost, .lost], [.milliseconds(200), .milliseconds(400)], nil),
            (
                [.response(503, #"{"title": "No", "code": "unavailable"}"#, headers: ["retry-after": "2"])],
                [.seconds(2)], nil
            ),
            ([.response(503, #"{"title": "No", "code": "unavailable", "retry_after": 3}"#)], [.seconds(3)], nil),
            (
                [.response(409, #"{"title": "No", "code": "idempotency_conflict", "retry_after": 1}"#)], [.seconds(1)],
                nil
            ),
            ([.response(502, "<html>")], [.milliseconds(200)], nil),
            ([.response(503, #"{"title": "No", "code": "unavailable", "retry_after": 60}"#)], [], "unavailable"),
            ([.response(422, #"{"title": "No", "code": "idempotency_conflict"}"#)], [], "idempotency_conflict"),
            ([.response(429, #"{"title": "No", "code": "rate_limited", "retry_after": 1}"#)], [], "rate_limited"),
            ([.response(401, #"{"title": "No", "code": "unauthorized"}"#)], [], "unauthorized"),
            ([.response(500, #"{"title": "No", "code": "internal_error"}"#)], [], "internal_error"),
            ([.lost, .lost, .lost], [.milliseconds(200), .milliseconds(400)], ""),
        ] as [([ScriptedTransport.Answer], [Duration], String?)]
    )
    func repetition(_ before: [ScriptedTransport.Answer], _ pauses: [Duration], _ code: String?) async throws {
        let transport = ScriptedTransport(before + [.response(201, Self.pending)])
        let client = try verifications(transport)
        do {
            #expect(try await client.begin("010-1234-5678").id == "ver_1")
            #expect(code == nil)
        } catch {
            #expect(error.code?.rawValue ?? "" == code)
        }
        #expect(transport.pauses == pauses)
        // All attempts are one request to the service.
        #expect(Set(transport.headers("Idempotency-Key")) == [#""key-1""#])
    }

    @Test func aProblemSaysWhatHelps() async throws {
        let body = #"""
            {"title": "Too many", "detail": "Wait.", "message": "나중에 다시 시도해 주세요.", "code": "rate_limited", \#
            "retry_after": 60, "violated_policies": ["address"], "checks_left": 2, "sends_left": 1, "field": "code"}
            """#
        let transport = ScriptedTransport(.response(429, body))
        let client = try verifications(transport)
        do {
            _ = try await client.check("1", of: "ver_1")
            Issue.record("nothing was thrown")
        } catch .refused(let problem) {
            #expect(problem.status == 429)
            #expect(problem.code == .rateLimited)
            #expect(problem.detail == "Wait.")
            #expect(problem.message == "나중에 다시 시도해 주세요.")
            #expect(problem.retryAfter == .seconds(60))
            #expect(problem.violatedPolicies == ["address"])
            #expect(problem.checksLeft == 2 && problem.sendsLeft == 1 && problem.field == "code")
            #expect(!problem.keepsSignup)
        } catch {
            Issue.record(error)
        }
    }

    @Test(arguments: [
        "", "phone.test", "ftp://phone.test", "https://", "https://a@phone.test", "https://phone.test/?a",
    ])
    func whatIsNoServer(_ server: String) {
        #expect(PhoneProofClient(server: server, transport: ScriptedTransport()) == nil)
    }

    @Test func keysAreNeverTheSame() {
        #expect(PhoneProofClient.randomKey().count == 32)
        #expect(PhoneProofClient.randomKey() != PhoneProofClient.randomKey())
    }
}
