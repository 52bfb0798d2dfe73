import PhoneAccounts
import PhoneAdministration
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

@testable import PhoneDomain

@Suite struct DormantAccountTests {
    /// Lets an account of this number become dormant, and takes a signup of the same number up to the last step.
    private static func proveAgain(_ server: TestServer) async throws -> (
        old: Device, signup: GuidedSignup, answer: Answer
    ) {
        let old = try await server.signIn()
        _ = try await server.send(
            "PATCH",
            "/v1/accounts/me",
            #"{"metadata":{"name":"Kim"}}"#,
            token: old.accessToken
        )
        server.clock.advance(by: .seconds(90 * 86_400))
        let signup = try await server.beginSignup("01012345678")
        return (old, signup, try await signup.signUp())
    }

    private static func decide(
        _ server: TestServer,
        _ signup: GuidedSignup,
        _ decision: String,
        token: String?
    ) async throws -> Answer {
        try await server.send("POST", signup.path + "/dormant-account", #"{"decision":"\#(decision)"}"#, token: token)
    }

    @Test func aPersonWhoMustDecideGetsAccountDormant() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask)) { server in
            let (_, signup, refused) = try await Self.proveAgain(server)
            #expect(refused.status == 409)
            #expect(
                refused.body.hasPrefix(
                    json(
                        """
                        {"type":"urn:phoneproof:problem:account_dormant",
                         "title":"Account dormant",
                         "status":409,
                         "detail":"\(try #require(refused.text("detail")))",
                         "code":"account_dormant",
                         "message":"오랫동안 사용하지 않은 계정의 번호입니다. 고객센터에 문의해 주세요.",
                         "signup":{"id":"sgn_00000000000000000000000000000005",
                        """
                    )
                )
            )
            #expect(refused.body.contains(#""failure":{"code":"account_dormant""#))
            // The approval is not used up.
            #expect(refused.body.contains(#""status":"approved""#))
            #expect(try await signup.signUp().status == 409)
            #expect(await server.store.accountCount == 1)
        }
    }

    @Test func theOneWhoSignsUpMayBeginAnew() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask), servesLocalCallers: false) { server in
            let (old, signup, _) = try await Self.proveAgain(server)
            let decided = try await Self.decide(server, signup, "new_account", token: signup.token)
            #expect(decided.status == 200)
            #expect(decided.body.hasPrefix(#"{"id":"sgn_00000000000000000000000000000005","state":"#))
            let trail = try await server.store.entries(AuditQuery(limit: 99)).entries.count
            for _ in 0..<3 {
                let again = try await Self.decide(server, signup, "new_account", token: signup.token)
                again.expect(200, decided.body)
            }
            #expect(try await server.store.entries(AuditQuery(limit: 99)).entries.count == trail)
            // The signup does not have the code, which is needed again.
            #expect(decided.body.contains(#""code_text":"","is_sign_up_enabled":false"#))
            #expect(decided.body.contains(#""failure":null"#))
            for (body, status) in [(nil, 422), (#"{"code_text":"000000"}"#, 422)] {
                let refused = try await signup.call("POST", "/sign-up", body)
                #expect(refused.status == status)
                #expect(await server.store.accountCount == 1)
            }
            let anew = try await signup.signUp()
            #expect(anew.status == 201)
            #expect(anew.body.contains(#""is_new":true"#))
            // The decision is final by then.
            let late = try await Self.decide(server, signup, "new_account", token: signup.token)
            late.expect(409, code: "verification_closed")
            // Whoever still has the old account has it without its number, until it is deleted.
            #expect(try await server.refresh(old.refreshToken).status == 401)
            #expect(await server.store.accountCount == 2)
        }
    }

    @Test func thatTheyAreTheHolderIsNotTheirsToSay() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask), servesLocalCallers: false) { server in
            let (_, signup, _) = try await Self.proveAgain(server)
            let refused = try await Self.decide(server, signup, "sign_in", token: signup.token)
            refused.expect(
                403,
                code: "insufficient_scope",
                detail: "The token of a signup allows new_account only; "
                    + "sign_in needs an API key with the scope accounts."
            )
            #expect(
                refused.headers["www-authenticate"]
                    == #"Bearer realm="phoneproof", error="insufficient_scope", scope="accounts""#
            )
            #expect(try await signup.signUp().status == 409)
        }
    }

    @Test func aProgramSeesTheAccountAndDecides() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask), servesLocalCallers: false) { server in
            let (_, signup, _) = try await Self.proveAgain(server)
            let key = try await server.key("shop", [.accounts])
            let path = signup.path + "/dormant-account"
            func seen() async throws -> String {
                let answer = try await server.send("GET", path, token: key)
                #expect(answer.status == 200)
                return answer.body
            }
            func expected(_ decision: String) -> String {
                json(
                    """
                    {"account":{"id":"acc_00000000000000000000000000000004",
                     "created_at":"2026-01-01T00:01:00.000Z",
                     "last_active_at":"2026-01-01T00:01:00.000Z",
                     "metadata":{"name":"Kim"}},
                     "decision":\(decision)}
                    """
                )
            }
            #expect(try await seen() == expected("null"))
            #expect(try await Self.decide(server, signup, "new_account", token: key).status == 200)
            #expect(try await seen() == expected(#""new_account""#))
            // Another decision replaces it.
            #expect(try await Self.decide(server, signup, "sign_in", token: key).status == 200)
            #expect(try await seen() == expected(#""sign_in""#))
            let back = try await signup.signUp()
            #expect(back.status == 200)
            #expect(back.body.contains(#""account":{"id":"acc_00000000000000000000000000000004""#))
            #expect(back.body.contains(#""is_new":false"#))
            #expect(try await server.send("GET", path, token: key).status == 409)
            #expect(try await Self.decide(server, signup, "sign_in", token: key).status == 409)
            let trail = try await server.store.entries(AuditQuery(limit: 99)).entries
            let decided = trail.filter { [.decideSignIn, .decideNewAccount].contains($0.action) }
            #expect(decided.map(\.action) == [.decideSignIn, .decideNewAccount])
            #expect(decided.map(\.owner?.rawValue) == ["caller:shop", "caller:shop"])
        }
    }

    @Test func aDecisionIsOfOneNumber() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask)) { server in
            let (_, signup, _) = try await Self.proveAgain(server)
            #expect(try await Self.decide(server, signup, "new_account", token: signup.token).status == 200)
            server.clock.advance(by: .seconds(60))
            #expect(try await signup.send("01012345678").status == 202)
            #expect(try await signup.signUp().text("code") == "account_dormant")
        }
    }

    @Test func nobodyElseSeesOrDecides() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask), servesLocalCallers: false) { server in
            let (old, signup, _) = try await Self.proveAgain(server)
            let path = signup.path + "/dormant-account"
            let wrongKey = try await server.key("shop", [.verifications, .admin])
            for method in ["GET", "POST"] {
                let body = method == "GET" ? nil : #"{"decision":"new_account"}"#
                let none = try await server.send(method, path, body)
                #expect(none.status == 401)
                #expect(none.headers["www-authenticate"] == #"Bearer realm="phoneproof""#)
                let scope = try await server.send(method, path, body, token: wrongKey)
                #expect(scope.status == 403)
                #expect(scope.text("detail") == "This API key lacks the scope accounts.")
                #expect(try await server.send(method, path, body, token: "pk_wrong").status == 401)
            }
            // Neither the signup's own token nor an account's is an API key.
            #expect(try await server.send("GET", path, token: signup.token).status == 401)
            #expect(try await Self.decide(server, signup, "new_account", token: "sgt_1").status == 404)
            #expect(try await Self.decide(server, signup, "new_account", token: old.accessToken).status == 404)
            #expect(try await signup.signUp().text("code") == "account_dormant")
        }
    }

    @Test func nothingIsDecidedBeforeTheNumberIsProven() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask)) { server in
            let key = try await server.key("shop", [.accounts])
            _ = try await server.signIn()
            server.clock.advance(by: .seconds(90 * 86_400))
            let signup = try await server.beginSignup()
            let path = signup.path + "/dormant-account"
            for _ in 0..<2 {
                let seen = try await server.send("GET", path, token: key)
                let decided = try await Self.decide(server, signup, "new_account", token: signup.token)
                for refused in [seen, decided] {
                    #expect(refused.status == 422)
                    #expect(refused.text("detail") == "The number is not verified yet; check the code first.")
                }
                _ = try await signup.send("01012345678")
            }
            server.clock.advance(by: .seconds(600))
            #expect(try await server.send("GET", path, token: key).status == 410)
            let unknown = try await server.send("GET", "/v1/signups/" + id("sgn", 99) + "/dormant-account", token: key)
            unknown.expect(404, code: "signup_not_found")
        }
    }

    @Test func anAccountThatIsInUseIsShownToNobody() async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask)) { server in
            let old = try await server.signIn()
            server.clock.advance(by: .seconds(60))
            let signup = try await server.beginSignup("01012345678")
            _ = try await server.useCase.check(
                "314159",
                for: .id(#require(Verification.ID(id("ver", 6)))),
                context: signupContext(6)
            )
            let seen = try await server.send("GET", signup.path + "/dormant-account")
            seen.expect(200, #"{"account":null,"decision":null}"#)
            #expect(try await server.send("GET", "/v1/accounts/me", token: old.accessToken).status == 200)
        }
    }

    private func signupContext(_ verification: UInt64) -> RequestContext {
        RequestContext(owner: .signup(Signup.ID(bits: 0, verification - 1)), region: .korea, language: .korean)
    }

    @Test(arguments: [
        ("{}", "decision is missing."), (#"{"decision":null}"#, "decision is missing."),
        (#"{"decision":"delete"}"#, "decision must be one of: sign_in, new_account."),
        (#"{"decision":[]}"#, "decision must be a string."),
    ])
    func theDecisionMustBeOne(_ body: String, detail: String) async throws {
        try await TestServer.run(accountPolicy: AccountPolicy(recycling: .ask)) { server in
            let (_, signup, _) = try await Self.proveAgain(server)
            let path = signup.path + "/dormant-account"
            let refused = try await server.send("POST", path, body, token: signup.token)
            refused.expect(422, code: "invalid_request", field: "decision", detail: detail)
        }
    }
}
