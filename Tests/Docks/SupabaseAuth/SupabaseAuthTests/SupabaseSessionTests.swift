import CoreEncodings
import DockTestSupport
import PhoneAccounts
import PhoneDomain
import PhoneNumbers
import PhoneStore
import PhoneTestSupport
import Testing

@testable import SupabaseAuth

@Suite struct SupabaseSessionTests {
    private static let new = "+821055556666"

    private func refresh(_ server: SupabaseServer, _ token: String) async throws -> SupabaseServer.Answer {
        try await server.call("POST", "/token?grant_type=refresh_token", #"{"refresh_token":"\#(token)"}"#)
    }

    @Test func aRefreshTokenThatWasUsedEndsItsSession() async throws {
        try await SupabaseServer.open { server in
            let first = try await server.signIn("100000")
            let second = try #require(try await refresh(server, first.refresh).text("refresh_token"))
            // Several tabs of a browser share a token.
            #expect(try await refresh(server, first.refresh).text("refresh_token") == second)
            server.clock.advance(by: .seconds(60))
            let gone = ["400", "refresh_token_not_found"]
            #expect(try await refresh(server, first.refresh).error == gone)
            #expect(try await refresh(server, second).error == gone)
            #expect(try await server.call("GET", "/user", token: first.access).error == ["403", "session_not_found"])
            for token in ["", "x", "rt_", second.replacing("_", with: "ː")] {
                let code = token.isEmpty ? "validation_failed" : "refresh_token_not_found"
                #expect(try await refresh(server, token).error == ["400", code])
            }
        }
    }

    @Test func onlyTokensOfThisApiAreTaken() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000")
            let native = try await server.accounts.refresh(SecretToken(tokens.refresh), from: nil)
            let parts = tokens.access.split(separator: ".").map(String.init)
            let unsigned = Array(#"{"alg":"none","typ":"JWT"}"#.utf8).base64URL
            for token in [
                SupabaseServer.key, native.accessToken.text, tokens.refresh, "\(parts[0]).\(parts[1]).", "",
                "\(unsigned).\(parts[1]).", "\(parts[0]).\(parts[1]).\(parts[2])x", String(repeating: "a", count: 5000),
            ] {
                let code = token.isEmpty ? ["401", "no_authorization"] : ["403", "bad_jwt"]
                #expect(try await server.call("GET", "/user", token: token).error == code)
            }
            #expect(try await server.call("GET", "/user", token: tokens.access).status == 200)
            server.clock.advance(by: .seconds(900))
            #expect(try await server.call("GET", "/user", token: tokens.access).error == ["403", "bad_jwt"])
        }
    }

    @Test(arguments: [
        ("?scope=local", [200, 403, 200]), ("?scope=others", [403, 200, 403]), ("?scope=global", [403, 403, 403]),
        ("", [403, 403, 403]), ("?scope=x", [200, 200, 200]),
    ])
    func signingOutEndsThisSessionTheOthersOrAll(_ scope: String, _ left: [Int]) async throws {
        try await SupabaseServer.open { server in
            var tokens: [SupabaseServer.Tokens] = []
            for code in 100_000..<100_003 { tokens.append(try await server.signIn("\(code)")) }
            // The access tokens of the first two have expired by now.
            for index in tokens.indices {
                tokens[index] = try #require(SupabaseServer.Tokens(try await refresh(server, tokens[index].refresh)))
            }
            let answer = try await server.call("POST", "/logout" + scope, token: tokens[1].access)
            #expect(answer.status == (scope == "?scope=x" ? 400 : 204))
            var found: [Int] = []
            for each in tokens { found.append(try await server.call("GET", "/user", token: each.access).status) }
            #expect(found == left)
        }
    }

    @Test func metadataIsBoundedAndThatOfATokenMore() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000")
            func update(_ data: String) async throws -> SupabaseServer.Answer {
                try await server.call("PUT", "/user", #"{"data":\#(data)}"#, token: tokens.access)
            }
            let deep = String(repeating: #"{"a":"#, count: 7) + "1" + String(repeating: "}", count: 7)
            #expect(try await update(#"{"b":\#(deep)}"#).status == 200)
            #expect(try await update(#"{"b":{"c":\#(deep)}}"#).error == ["400", "validation_failed"])
            #expect(try await update(#"{"b":null,"long":"\#(String(repeating: "x", count: 1400))"}"#).status == 200)
            var next = try #require(SupabaseServer.Tokens(try await refresh(server, tokens.refresh)))
            #expect(next.claims?["user_metadata"]?["long"] != nil)
            #expect(try await server.call("GET", "/user", token: next.access).status == 200)
            #expect(try await update(#"{"long":"\#(String(repeating: "x", count: 1600))"}"#).status == 200)
            server.clock.advance(by: .seconds(60))
            next = try #require(SupabaseServer.Tokens(try await refresh(server, next.refresh)))
            #expect(next.claims?["user_metadata"] == [:])
            #expect(next.json["user"]?["user_metadata"]?["long"] != nil)
            #expect(try await update(#"{"long":"\#(String(repeating: "x", count: 17_000))"}"#).status == 400)
            for data in ["1", "[]", #""a""#] {
                #expect(try await update(data).error == ["400", "validation_failed"])
            }
        }
    }

    // MARK: - Another number

    private func ask(
        _ server: SupabaseServer,
        by tokens: SupabaseServer.Tokens,
        address: String = "203.0.113.7"
    ) async throws -> SupabaseServer.Answer {
        try await server.call("PUT", "/user", #"{"phone":"\#(Self.new)"}"#, token: tokens.access, address: address)
    }

    private func complete(
        _ server: SupabaseServer,
        _ code: String,
        token: String? = nil,
        address: String = "203.0.113.7"
    ) async throws -> SupabaseServer.Answer {
        try await server.verify(code, Self.new, type: "phone_change", token: token, address: address)
    }

    @Test func aNumberIsChangedByItsCode() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000")
            let asked = try await ask(server, by: tokens)
            #expect(asked.text("new_phone") == "821055556666")
            #expect(asked.text("phone") == "821012345678")
            #expect(asked.text("phone_change_sent_at") == "2026-01-01T01:00:00.000Z")
            // The code of a sign-in is another one.
            #expect(try await server.verify("100001", Self.new).error == ["403", "otp_expired"])
            let changed = try await complete(server, "100001")
            #expect(changed.json["user"]?["phone"] == "821055556666")
            #expect(changed.json["user"]?["id"] == tokens.json["user"]?["id"])
            let opened = try #require(SupabaseServer.Tokens(changed))
            #expect(try await server.call("GET", "/user", token: opened.access).text("phone") == "821055556666")
            #expect(try await refresh(server, opened.refresh).status == 200)
            // The session that asked stays.
            #expect(try await server.call("GET", "/user", token: tokens.access).text("phone") == "821055556666")
            #expect(try await complete(server, "100001").error == ["403", "otp_expired"])
            // One's own number is no change.
            #expect(try await ask(server, by: tokens).json["new_phone"] == nil)
        }
    }

    @Test func aChangeEndsWithItsSession() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000")
            #expect(try await ask(server, by: tokens).status == 200)
            #expect(try await server.call("POST", "/logout", token: tokens.access).status == 204)
            let answer = try await complete(server, "100001")
            #expect(answer.error == ["403", "otp_expired"])
            #expect(try await server.store.account(of: PhoneNumber(e164: Self.new)) == nil)
        }
    }

    @Test func nobodysCodeCompletesTheChangeOfAnother() async throws {
        try await SupabaseServer.open { server in
            let earlier = try await server.signIn("100000", "+821099990000")
            let owner = try await server.signIn("100001")
            let thief = try #require(SupabaseServer.Tokens(try await refresh(server, earlier.refresh)))
            #expect(try await ask(server, by: thief, address: "198.51.100.7").status == 200)
            server.clock.advance(by: .seconds(300))
            #expect(try await ask(server, by: owner).status == 200)
            // The owner of the phone has both codes. Typed into their app, the thief's is wrong.
            #expect(try await complete(server, "100002").error == ["403", "otp_expired"])
            let changed = try await complete(server, "100003")
            #expect(changed.json["user"]?["id"] == owner.json["user"]?["id"])
            // A session's own token says whose change is meant, from any network.
            let answer = try await complete(server, "100002", token: owner.access)
            #expect(answer.error == ["403", "otp_expired"])
            let taken = try await complete(server, "100002", token: thief.access, address: "198.51.100.7")
            #expect(taken.error == ["422", "phone_exists"])
        }
    }

    @Test func nobodyUsesUpTheChecksOfTheChangeOfAnother() async throws {
        try await SupabaseServer.open { server in
            let earlier = try await server.signIn("100000", "+821099990000")
            let second = try await server.signIn("100001")
            let first = try #require(SupabaseServer.Tokens(try await refresh(server, earlier.refresh)))
            #expect(try await ask(server, by: first, address: "192.0.2.1").status == 200)
            server.clock.advance(by: .seconds(300))
            #expect(try await ask(server, by: second).status == 200)
            for guess in 0..<5 {
                let answer = try await complete(server, "999999", address: "198.51.100.7")
                #expect(answer.status == (guess < 3 ? 403 : 429))
            }
            // With the token of its session nobody's share matters.
            let typed = try await complete(server, "100002", token: first.access, address: "198.51.100.7")
            #expect(typed.status == 200)
            let answer = try await complete(server, "100003")
            #expect(answer.error == ["422", "phone_exists"])
        }
    }

    @Test func aPhoneMayChangeNetworksMeanwhile() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000")
            #expect(try await ask(server, by: tokens).status == 200)
            let answer = try await complete(server, "100001", address: "192.0.2.1")
            #expect(answer.json["user"]?["id"] == tokens.json["user"]?["id"])
        }
    }

    @Test func anOldSignInMayNotChangeTheNumberUntilThePersonProvesTheirOwnAgain() async throws {
        var policy = AccountPolicy.standard
        policy.freshProof = .seconds(60)
        try await SupabaseServer.open(accountPolicy: policy) { server in
            let tokens = try await server.signIn("100000")
            server.clock.advance(by: .seconds(300))
            #expect(try await ask(server, by: tokens).error == ["401", "reauthentication_needed"])
            #expect(try await server.call("GET", "/reauthenticate", token: tokens.access).body == "{}")
            let fresh = try #require(SupabaseServer.Tokens(try await server.verify("100001")))
            #expect(try await ask(server, by: fresh).status == 200)
        }
    }
}
