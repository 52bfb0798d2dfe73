import PhoneProofClient
import PhoneSignup
import PhoneTestSupport
import Synchronization
import Testing

/// A person who is signed in: tokens that are refreshed once, however many need them.
@Suite struct ClientSessionTests {
    private static let account = #"""
        {"id": "acc_1", "phone_number": "+821012345678", "national_format": "010-1234-5678", \#
        "created_at": "2026-01-01T00:00:00Z", "deletion_due_at": null}
        """#
    private static let next = #"{"access_token": "a2", "refresh_token": "rt_2", "expires_in": 900}"#
    private static let unauthorized = #"{"title": "Unauthorized", "code": "unauthorized"}"#

    private func session(_ transport: ScriptedTransport, expiresAt seconds: Int64) throws -> PhoneProofSession {
        PhoneProofSession(
            try #require(transport.client()),
            tokens: SessionTokens(
                accessToken: "a1",
                refreshToken: "rt_1",
                expiresAt: Timestamp(seconds: seconds)
            )
        )
    }

    @Test func validTokensAreUsedAsTheyAre() async throws {
        let transport = ScriptedTransport(.response(200, Self.account))
        let session = try session(transport, expiresAt: 1031)
        let account = try await session.account()
        #expect(account.id == "acc_1")
        #expect(account.phoneNumber == "+821012345678")
        #expect(account.createdAt == Timestamp(rfc3339: "2026-01-01T00:00:00Z"))
        #expect(account.deletionDueAt == nil)
        #expect(transport.requests == ["GET /v1/accounts/me"])
        #expect(transport.headers("Authorization") == ["Bearer a1"])
    }

    @Test func manyCallsRefreshOnce() async throws {
        let transport = ScriptedTransport(.response(200, Self.next))
        let session = try session(transport, expiresAt: 1030)
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await session.accessToken() } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["a2"])
        #expect(transport.requests == [#"POST /v1/tokens {"refresh_token":"rt_1"}"#])
    }

    /// The service gives the same next tokens for half a minute.
    @Test func aRefreshWhoseResponseWasLostIsRepeated() async throws {
        let transport = ScriptedTransport(.lost, .response(200, Self.next))
        let session = try session(transport, expiresAt: 0)
        #expect(try await session.accessToken() == "a2")
        #expect(transport.requests.count == 2)
    }

    @Test func aServerThatKnowsBetterIsAskedAgainOnce() async throws {
        let transport = ScriptedTransport(
            .response(401, Self.unauthorized),
            .response(200, Self.next),
            .response(200, Self.account)
        )
        let session = try session(transport, expiresAt: 5000)
        #expect(try await session.account().id == "acc_1")
        #expect(transport.headers("Authorization") == ["Bearer a1", nil, "Bearer a2"])
    }

    @Test func anEndedSessionEndsHereToo() async throws {
        let transport = ScriptedTransport(.response(401, Self.unauthorized))
        let session = try session(transport, expiresAt: 0)
        for _ in 0..<2 {
            let error = await #expect(throws: PhoneProofError.self) { try await session.accessToken() }
            #expect(error?.code == .unauthorized)
        }
        #expect(await session.tokens == nil)
        #expect(transport.requests.count == 1)
    }

    @Test func anOutageEndsNothing() async throws {
        let transport = ScriptedTransport()
        let session = try session(transport, expiresAt: 0)
        let error = await #expect(throws: PhoneProofError.self) { try await session.accessToken() }
        #expect(error == .unreachable(reason: "connection reset"))
        #expect(await session.tokens?.refreshToken == "rt_1")
    }

    @Test func signingOut() async throws {
        let transport = ScriptedTransport(.response(204, ""))
        let session = try session(transport, expiresAt: 5000)
        try await session.signOut(isEverywhere: true)
        try await session.signOut()
        #expect(await session.tokens == nil)
        #expect(transport.requests == ["DELETE /v1/tokens?all=true"])
    }

    @Test func changesAreReportedForStorage() async throws {
        let changes = Mutex<[String]>([])
        let transport = ScriptedTransport(.response(200, Self.next), .response(204, ""))
        let session = PhoneProofSession(
            try #require(transport.client()),
            tokens: SessionTokens(accessToken: "a1", refreshToken: "rt_1", expiresAt: Timestamp(seconds: 0))
        ) { tokens in changes.withLock { $0.append(tokens?.refreshToken ?? "none") } }
        _ = try await session.accessToken()
        try await session.signOut()
        #expect(changes.withLock { $0 } == ["rt_2", "none"])
    }

    /// The service gives the response once more for the same key.
    @Test func aNumberChangeWhoseResponseWasLostIsRepeated() async throws {
        let change = #"{"id": "ver_1", "phone_number": "+821012345678", "status": "pending"}"#
        let transport = ScriptedTransport(.lost, .response(201, change), .lost, .response(200, Self.account))
        let session = try session(transport, expiresAt: 5000)
        #expect(try await session.beginNumberChange("010-1234-5678").id == "ver_1")
        #expect(try await session.changeNumber("123456", of: "ver_1").id == "acc_1")
        let keys = transport.headers("Idempotency-Key")
        #expect(keys.count == 4 && keys[0] != nil && keys[0] == keys[1] && keys[2] == keys[3] && keys[1] != keys[2])
    }

    @Test func tokensPrintNothing() {
        let tokens = SessionTokens(accessToken: "a1", refreshToken: "rt_1", expiresAt: Timestamp(seconds: 0))
        #expect("\(tokens)" == "tokens until 1970-01-01T00:00:00.000Z")
        var dumped = ""
        dump(tokens, to: &dumped)
        #expect(!dumped.contains("rt_1") && !String(reflecting: tokens).contains("a1"))
    }
}
