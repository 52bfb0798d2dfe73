import PhoneDomain
import PhoneTestSupport
import Records
import Testing

@testable import PhoneHTTP

@Suite struct IdempotencyTests {
    private static let number = #"{"phone_number":"010-1234-5678"}"#

    @Test(arguments: [
        (#""8e03978e-40d5-43dd-bc93-6894a57f9324""#, "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        ("8e03978e-40d5-43dd-bc93-6894a57f9324", "8e03978e-40d5-43dd-bc93-6894a57f9324"),
        (#""a \"b\" \\ c""#, #"a "b" \ c"#), (#"" ""#, " "),
        (#""\#(String(repeating: "x", count: 255))""#, String(repeating: "x", count: 255)),
    ])
    func keysThatAreRead(_ header: String, _ key: String) {
        #expect(IdempotencyKey(header: header)?.description == key)
    }

    @Test(arguments: [
        "", #""""#, #"""#, #""a"#, #"a""#, #""a"b""#, #""a\""#, #""a\n""#, "a b", #""a", "b""#, #""ü""#, "ü", "a=b",
        #""\#(String(repeating: "x", count: 256))""#, "\"a\tb\"", #""a";p=1"#,
    ])
    func whatIsNoKey(_ header: String) {
        #expect(IdempotencyKey(header: header) == nil)
    }

    private static func begin(_ server: TestServer, _ key: String, _ body: String = number, token: String? = nil)
        async throws
        -> Answer
    {
        try await server.send("POST", "/v1/verifications", body, token: token, headers: ["Idempotency-Key": key])
    }

    @Test func theSameRequestIsDoneOnce() async throws {
        try await TestServer.run { server in
            let first = try await Self.begin(server, #""a""#)
            #expect(first.status == 201)
            #expect(first.headers["idempotent-replayed"] == nil)
            server.clock.advance(by: .seconds(400))
            for key in [#""a""#, "a"] {
                let again = try await Self.begin(server, key)
                #expect(again.status == 201)
                #expect(again.body == first.body)
                #expect(again.headers["location"] == first.headers["location"])
                #expect(again.headers["content-type"] == "application/json")
                #expect(again.headers["idempotent-replayed"] == "true")
            }
            #expect(await server.store.outbox.count == 1)
            // Another key makes it another request.
            #expect(try await Self.begin(server, #""b""#).status == 200)
            #expect(await server.store.outbox.count == 2)
        }
    }

    @Test func aKeyStandsForOneRequest() async throws {
        try await TestServer.run { server in
            let begun = try await Self.begin(server, #""a""#)
            let other = try await Self.begin(server, #""a""#, #"{"phone_number":"010-8765-4321"}"#)
            let path = try #require(begun.headers["location"]) + "/checks"
            let check = try await server.send("POST", path, Self.number, headers: ["Idempotency-Key": #""a""#])
            for answer in [other, check] {
                #expect(answer.status == 422)
                #expect(answer.text("code") == "idempotency_conflict")
            }
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func aWrongCodeIsCountedOnce() async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/verifications", Self.number)
            let path = try #require(begun.headers["location"])
            var bodies: Set<String> = []
            for _ in 0..<4 {
                let answer = try await server.send(
                    "POST",
                    path + "/checks",
                    #"{"code":"000000"}"#,
                    headers: ["Idempotency-Key": #""check 1""#]
                )
                #expect(answer.status == 422)
                #expect(answer.headers["content-type"] == "application/problem+json")
                bodies.insert(answer.body)
            }
            #expect(bodies.count == 1)
            let now = try await server.send("GET", path)
            #expect(now.body.contains(#""checks_left":4"#))
        }
    }

    @Test func aRefusalThatTimeMendsIsNotKept() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/verifications", Self.number)
            let soon = try await Self.begin(server, #""a""#)
            #expect(soon.status == 429)
            #expect(soon.text("code") == "resend_too_soon")
            server.clock.advance(by: .seconds(31))
            #expect(try await Self.begin(server, #""a""#).status == 200)
            #expect(try await Self.begin(server, #""a""#).headers["idempotent-replayed"] == "true")
            #expect(await server.store.outbox.count == 2)
        }
    }

    @Test func whileItIsWorkedOnTheSameRequestIsRefused() async throws {
        try await TestServer.run { server in
            let name = IdempotentRequest.Name(owner: .local, key: try #require(IdempotencyKey("a")))
            let fingerprint = NumberDigest(rawValue: "test:POST /v1/verifications\n" + Self.number)
            let command = try #require(
                BeginRequest(name: name, fingerprints: [fingerprint], now: server.clock.now())
            )
            _ = try await server.store.begin(command)
            let answer = try await Self.begin(server, #""a""#)
            #expect(answer.status == 409)
            #expect(answer.text("code") == "idempotency_conflict")
            #expect(answer.headers["retry-after"] == "1")
            #expect(await server.store.outbox.isEmpty)
            // The instance that worked on it has died.
            server.clock.advance(by: BeginRequest.lease)
            #expect(try await Self.begin(server, #""a""#).status == 201)
        }
    }

    @Test func ofManyAtOnceOneIsDone() async throws {
        try await TestServer.run { server in
            let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<30 { group.addTask { try await Self.begin(server, #""a""#).status } }
                return try await group.reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
            }
            #expect(Set(statuses.keys).isSubset(of: [201, 409]))
            #expect(statuses[201] ?? 0 >= 1)
            #expect(await server.store.outbox.count == 1)
        }
    }

    @Test func twoCallersMayUseOneKey() async throws {
        try await TestServer.run { server in
            let (_, secret) = try await server.keys.create(name: #require(CallerName("shop")), scopes: [.verifications])
            #expect(try await Self.begin(server, #""a""#).status == 201)
            let other = try await Self.begin(server, #""a""#, #"{"phone_number":"010-8765-4321"}"#, token: secret.text)
            #expect(other.status == 201)
        }
    }

    @Test func aHeaderThatIsNoKeyIsRefused() async throws {
        try await TestServer.run { server in
            let answer = try await Self.begin(server, #""a"#)
            #expect(answer.status == 400)
            #expect(answer.text("code") == "invalid_request")
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func withoutTheStoreNothingIsDone() async throws {
        struct Gone: Error {}
        try await TestServer.run { server in
            server.store.fail(with: Gone())
            let refused = try await Self.begin(server, #""a""#)
            server.store.fail(with: nil)
            let begun = try await Self.begin(server, #""a""#)
            #expect([refused.status, begun.status] == [503, 201])
        }
    }
}
