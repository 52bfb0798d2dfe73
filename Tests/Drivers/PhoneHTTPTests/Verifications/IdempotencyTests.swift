import CoreEncodings
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
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
                again.expect(201, first.body)
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

    /// What is stored has none, so that each would be new, for as long as the key is kept.
    @Test func aRepeatedApprovalHasNoTokenThatItWouldNotHaveWithoutAKey() async throws {
        try await TestServer.run(proofTokens: [PlainProofTokens()]) { server in
            let id = try #require(try await server.send("POST", "/v1/verifications", Self.number).text("id"))
            func check(_ headers: [String: String]) async throws -> Answer {
                let body = #"{"code":"\#(TestServer.code)"}"#
                return try await server.send("POST", "/v1/verifications/\(id)/checks", body, headers: headers)
            }
            let keyed = ["Idempotency-Key": #""a""#]
            #expect(try await check(keyed).body.contains(#""tokens":{"plain":"+821012345678"}"#))
            server.clock.advance(by: .seconds(60))
            #expect(try await check(keyed).body.contains(#""tokens""#))
            #expect(try await check([:]).body.contains(#""tokens""#))
            server.clock.advance(by: .seconds(10))
            let late = try await check(keyed)
            #expect(late.status == 200)
            #expect(!late.body.contains(#""tokens""#))
            #expect(try await check([:]).status == 409)
        }
    }

    /// By a proof of the number; the approval of a check that never comes must not lack what the others have.
    @Test func aStartThatIsApprovedAtOnceHasTheTokens() async throws {
        try await TestServer.run(proofTokens: [PlainProofTokens()], numberProofs: [PlainNumberProofs()]) { server in
            func begin(_ number: String, _ more: String) async throws -> Answer {
                let body = #"{"phone_number":"\#(number)"\#(more)}"#
                return try await server.send("POST", "/v1/verifications", body, headers: ["Idempotency-Key": number])
            }
            func prove() async throws -> Answer {
                try await begin("01012345678", #","proof":{"kind":"plain","token":"+821012345678"}"#)
            }
            let (begun, pending) = (try await prove(), try await begin("01087654321", ""))
            #expect(begun.status == 201)
            #expect(begun.text("status") == "approved")
            #expect(begun.body.contains(#""tokens":{"plain":"+821012345678"}"#))
            #expect(pending.text("status") == "pending")
            #expect(!pending.body.contains(#""tokens""#))
            #expect(try await prove().body.contains(#""tokens""#))
            server.clock.advance(by: .seconds(70))
            let late = try await prove()
            #expect(late.status == 201)
            #expect(!late.body.contains(#""tokens""#))
        }
    }

    /// A token is the number that it proves.
    private struct PlainNumberProofs: NumberProofVerifier {
        let kind = "plain"
        let requiresNonce = false

        func verify(_ token: String, of _: NumberClaim, at now: Timestamp) -> Result<ProvenNumber, ProofFault> {
            .success(ProvenNumber(e164: token, nonce: nil, key: token, expiresAt: now + .seconds(60)))
        }
    }

    private struct PlainProofTokens: ProofTokens {
        let name = "plain"
        func token(of account: Account.ID) -> SecretToken { SecretToken(account.description) }
        func token(of number: PhoneNumber) -> SecretToken { SecretToken(number.e164) }
    }

    @Test func aKeyStandsForOneRequest() async throws {
        try await TestServer.run { server in
            let begun = try await Self.begin(server, #""a""#)
            let other = try await Self.begin(server, #""a""#, #"{"phone_number":"010-8765-4321"}"#)
            let path = try #require(begun.headers["location"]) + "/checks"
            let check = try await server.send("POST", path, Self.number, headers: ["Idempotency-Key": #""a""#])
            let words = String(Self.number.dropLast()) + #","reference":"order 4711"}"#
            for answer in [other, check, try await Self.begin(server, #""a""#, words)] {
                answer.expect(422, code: "idempotency_conflict")
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
            soon.expect(429, code: "resend_too_soon")
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
            answer.expect(409, code: "idempotency_conflict")
            #expect(answer.headers["retry-after"] == "1")
            #expect(await server.store.outbox.isEmpty)
            // The instance that worked on it has died.
            server.clock.advance(by: BeginRequest.lease)
            #expect(try await Self.begin(server, #""a""#).status == 201)
        }
    }

    @Test func twoCallersMayUseOneKey() async throws {
        try await TestServer.run { server in
            let key = try await server.key()
            #expect(try await Self.begin(server, #""a""#).status == 201)
            let other = try await Self.begin(server, #""a""#, #"{"phone_number":"010-8765-4321"}"#, token: key)
            #expect(other.status == 201)
        }
    }

    @Test func aHeaderThatIsNoKeyIsRefused() async throws {
        try await TestServer.run { server in
            let answer = try await Self.begin(server, #""a"#)
            answer.expect(400, code: "invalid_request")
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func withoutTheStoreNothingIsDone() async throws {
        try await TestServer.run { server in
            server.store.fail(with: Outage())
            let refused = try await Self.begin(server, #""a""#)
            server.store.fail(with: nil)
            let begun = try await Self.begin(server, #""a""#)
            #expect([refused.status, begun.status] == [503, 201])
        }
    }

    // MARK: - Other POSTs

    private static let numberChanges = "/v1/accounts/me/number-changes"

    @Test func aNumberChangeIsDoneOnce() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            var token = device.accessToken
            server.clock.advance(by: .seconds(60))
            func post(_ path: String, _ key: String, _ body: String) async throws -> Answer {
                let headers = ["Idempotency-Key": key]
                return try await server.send("POST", path, body, token: token, headers: headers)
            }
            let begun = try await post(Self.numberChanges, "begin", #"{"phone_number":"010-8765-4321"}"#)
            let again = try await post(Self.numberChanges, "begin", #"{"phone_number":"010-8765-4321"}"#)
            #expect([begun.status, again.status] == [201, 201])
            #expect(again.body == begun.body)
            #expect(again.headers["location"] == begun.headers["location"])
            #expect(again.headers["idempotent-replayed"] == "true")
            #expect(await server.store.outbox.count == 2)
            let other = try await post(Self.numberChanges, "begin", #"{"phone_number":"010-5555-6666"}"#)
            other.expect(422, code: "idempotency_conflict")

            let checks = try #require(begun.headers["location"]) + "/checks"
            for _ in 0..<4 {
                let wrong = try await post(checks, "first", #"{"code":"000000"}"#)
                wrong.expect(422, code: "code_incorrect")
                #expect(wrong.body.hasSuffix(#""checks_left":4}"#))
            }
            let changed = try await post(checks, "second", #"{"code":"314159"}"#)
            #expect(changed.status == 200)
            server.clock.advance(by: .seconds(3599))
            token = try #require(try await server.refresh(device.refreshToken).text("access_token"))
            #expect(try await post(checks, "second", #"{"code":"314159"}"#).body == changed.body)
            server.clock.advance(by: .seconds(1))
            try await post(checks, "second", #"{"code":"314159"}"#).expect(409, code: "verification_closed")
        }
    }

    /// A session is a person's, who needs no key to have one: what it has stored is limited.
    @Test func theKeysOfASessionCountAsItsChanges() async throws {
        var policy = AbusePolicy.none
        policy.limits.changesBySession = [try #require(RateLimit("3/1h"))]
        try await TestServer.run(abusePolicy: policy) { server in
            let device = try await server.signIn()
            func post(_ key: String?) async throws -> Answer {
                let headers = key.map { ["Idempotency-Key": $0] } ?? [:]
                return try await server.send(
                    "POST",
                    Self.numberChanges,
                    "{}",
                    token: device.accessToken,
                    headers: headers
                )
            }
            for key in ["a", "b", "b"] { #expect(try await post(key).status == 422) }
            let refused = try await post("c")
            refused.expect(429, code: "rate_limited")
            #expect(refused.headers["ratelimit-policy"] == #""session-changes-1h";q=3;w=3600"#)
            #expect(try await post(nil).status == 422)
        }
    }

    /// Which POSTs take no key, and why. A new one takes it or is named here.
    private static let withoutKeys = [
        "/v1/signups": "its response has a token, which is not stored; what nobody continues expires",
        "/v1/signups/{id}/proof": "nothing is stored for it; limits count what a provider is asked",
        "/v1/verifications/proof": "as that of a signup",
        "/v1/signups/{id}/send": "it may be repeated: too soon, it is refused with the whole signup, and sends nothing",
        "/v1/signups/{id}/sign-up": "it may be repeated with the same code; its response has tokens",
        "/v1/signups/{id}/dormant-account": "the decision of a repetition replaces the same decision",
        "/v1/tokens": "a token that was refreshed is answered alike for half a minute; the response has tokens",
        "/oauth2/revoke": "what has ended cannot end again",
        "/v1/number-changes/undo": "no caller whose key it could be; the token in the body works once",
        "/v1/receipts/{gateway}": "a vendor's; reports of one message may come again",
        "/v1/inbound/{gateway}": "a vendor's; the same message may come again",
        // Their responses have secrets and accounts, which are not stored; and each act is on the audit log.
        "/v1/admin/": "a repetition is another act",
    ]

    /// A header that is no key is refused where keys are taken, and is not looked at elsewhere.
    @Test func eachPOSTTakesAKeyOrThereIsAReason() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let key = try await server.key("shop", Set(APIScope.allCases))
            var (taking, named) = (0, Set<String>())
            for document in [OpenAPIDocument.whole, OpenAPIDocument.admin] {
                for (path, item) in document["paths"]?.members.map({ ($0.name, $0.value) }) ?? [] {
                    guard let operation = item["post"] else { continue }
                    let isOfAccount = operation["security"]?.elements.first?["accessToken"] != nil
                    let target = path.split(separator: "/")
                        .map { $0 == "{id}" ? id("ver", 1) : String($0.filter { $0 != "{" && $0 != "}" }) }
                    let answer = try await server.send(
                        "POST",
                        "/" + target.joined(separator: "/"),
                        "{}",
                        token: isOfAccount ? device.accessToken : key,
                        headers: ["Idempotency-Key": "\""]
                    )
                    let takesKey = answer.status == 400 && answer.text("detail")?.hasPrefix("Idempotency-Key") == true
                    let reason = Self.withoutKeys.keys.first { $0.hasSuffix("/") ? path.hasPrefix($0) : path == $0 }
                    #expect(takesKey == (reason == nil), "\(path): \(answer.body)")
                    let parameters = operation["parameters"]?.elements ?? []
                    #expect(
                        takesKey == parameters.contains(["$ref": "#/components/parameters/IdempotencyKey"]),
                        "\(path)"
                    )
                    taking += takesKey ? 1 : 0
                    if let reason { named.insert(reason) }
                }
            }
            #expect(taking == 4)
            #expect(named == Set(Self.withoutKeys.keys))
        }
    }
}
