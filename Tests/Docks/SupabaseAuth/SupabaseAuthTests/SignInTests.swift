import CoreEncodings
import DockTestSupport
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneStore
import PhoneTestSupport
import Testing

@testable import SupabaseAuth

@Suite struct SignInTests {
    private static let number = SupabaseServer.number
    private static let expired = ["403", "otp_expired"]

    @Test func aPersonSignsUpByACode() async throws {
        try await SupabaseServer.open { server in
            let tokens = try await server.signIn("100000", Self.number, #","data":{"name":"Kim","age":null}"#)
            let user = try #require(tokens.json["user"])
            let id = try #require(user["id"]?.string)
            #expect(
                user.text
                    == #"""
                    {"id":"\#(id)","aud":"authenticated","role":"authenticated","email":"","phone":"821012345678",\#
                    "phone_confirmed_at":"2026-01-01T01:00:00.000Z","confirmed_at":"2026-01-01T01:00:00.000Z",\#
                    "last_sign_in_at":"2026-01-01T01:00:00.000Z",\#
                    "app_metadata":{"provider":"phone","providers":["phone"]},"user_metadata":{"name":"Kim"},\#
                    "identities":[{"identity_id":"\#(id)","id":"\#(id)","user_id":"\#(id)",\#
                    "identity_data":{"sub":"\#(id)","phone":"821012345678","phone_verified":true,"email_verified":false},\#
                    "provider":"phone","last_sign_in_at":"2026-01-01T01:00:00.000Z",\#
                    "created_at":"2026-01-01T01:00:00.000Z","updated_at":"2026-01-01T01:00:00.000Z"}],\#
                    "created_at":"2026-01-01T01:00:00.000Z","updated_at":"2026-01-01T01:00:00.000Z","is_anonymous":false}
                    """#
            )
            #expect(tokens.json["token_type"] == "bearer")
            #expect(tokens.json["expires_in"] == 900)
            #expect(tokens.json["expires_at"] == 1_767_230_100)
            let shown = try await server.call("GET", "/user", token: tokens.access)
            #expect(shown.json == user)
        }
    }

    @Test(arguments: ["+821012345678", "821012345678", "+82 10 1234 5678"])
    func aNumberIsTakenWithAndWithoutItsPlus(_ text: String) async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode(to: text)
            #expect(try await server.verify("100000", text).status == 200)
        }
    }

    @Test func aCodeIsWorthOneSessionHoweverManyShowItAtOnce() async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode()
            let answers = try await atOnce(20) { _ in try await server.verify("100000") }
            #expect(answers.count { $0.status == 200 } == 1)
            #expect(answers.filter { $0.status != 200 }.allSatisfy { $0.error == Self.expired })
            #expect(try await server.verify("100000").error == Self.expired)
        }
    }

    @Test func guessesAreCountedAndTheWaitIsSaid() async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode()
            for _ in 0..<3 { #expect(try await server.verify("999999").error == Self.expired) }
            let answer = try await server.verify("100000")
            #expect(answer.error == ["429", "over_request_rate_limit"])
            #expect(answer.headers["retry-after"] == "600")
            // Another code does not begin the count anew: the number has its own.
            for code in 1..<20 {
                server.clock.advance(by: .seconds(1200))
                _ = try await server.call("POST", "/otp", #"{"phone":"\#(Self.number)"}"#)
                _ = try await server.verify("99999\(code % 10)")
            }
            let refused = try await server.call("POST", "/otp", #"{"phone":"\#(Self.number)"}"#)
            #expect(refused.status == 429)
            #expect(refused.headers["retry-after"] != nil)
        }
    }

    @Test func nothingSaysWhetherANumberIsKnownBeforeTheCode() async throws {
        try await SupabaseServer.open { server in
            _ = try await server.signIn("100000")
            for number in [Self.number, "+821087654321"] {
                for members in ["", #","create_user":false"#, #","create_user":true,"data":{"a":1}"#] {
                    try await server.sendCode(to: number, members)
                }
                for type in ["sms", "phone_change"] {
                    server.clock.advance(by: .seconds(3600))
                    let answer = try await server.call("POST", "/resend", #"{"type":"\#(type)","phone":"\#(number)"}"#)
                    #expect(answer.body == "{}")
                    let checked = try await server.verify("999999", number, type: type)
                    #expect(checked.error == Self.expired)
                    #expect(
                        checked.body == #"{"code":"otp_expired","message":"Token has expired or is invalid"}"#
                    )
                }
            }
            // A number that nobody has asked a code for.
            #expect(try await server.verify("999999", "+821011112222").error == Self.expired)
        }
    }

    @Test func whoMayNotBeNewLearnsItByTheRightCodeAlone() async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode(to: Self.number, #","create_user":false"#)
            #expect(try await server.verify("999999").error == Self.expired)
            #expect(try await server.verify("100000").error == ["422", "otp_disabled"])
            #expect(try await server.verify("100000").error == Self.expired)
            #expect(try await server.store.account(of: PhoneNumber(e164: Self.number)) == nil)
            // A later request for the same code counts: nobody can keep others out.
            try await server.sendCode(to: Self.number, #","create_user":false"#)
            server.clock.advance(by: .seconds(300))
            #expect(try await server.call("POST", "/otp", #"{"phone":"\#(Self.number)"}"#).status == 200)
            #expect(try await server.verify("100001").status == 200)
            #expect(try await server.signIn("100003", Self.number, #","create_user":false"#).access != "")
        }
    }

    @Test func dataIsOfTheFirstSignInOnlyAndGoesWithItsNumber() async throws {
        try await SupabaseServer.open { server in
            _ = try await server.signIn("100000", Self.number, #","data":{"name":"Kim"}"#)
            let again = try await server.signIn("100001", Self.number, #","data":{"name":"Lee"}"#)
            #expect(again.json["user"]?["user_metadata"] == ["name": "Kim"])
            #expect(
                try await server.store.all(PendingSignup.self).map(\.data) == [#"{"name":"Kim"}"#, #"{"name":"Lee"}"#]
            )
            _ = try await server.store.purgeExpired(at: server.clock.now() + .seconds(600), limit: 10)
            #expect(try await server.store.all(PendingSignup.self).isEmpty)
        }
    }

    @Test func aNetworkHasItsShareOfANumbersMessages() async throws {
        try await SupabaseServer.open { server in
            func statuses(_ address: String, _ count: Int) async throws -> [Int] {
                var found: [Int] = []
                for _ in 0..<count {
                    server.clock.advance(by: .seconds(1000))
                    let body = #"{"phone":"\#(Self.number)"}"#
                    found.append(try await server.call("POST", "/otp", body, address: address).status)
                }
                return found
            }
            let own = try await statuses("203.0.113.7", 6)
            #expect(own == [200, 200, 200, 200, 200, 429])
            #expect(try await statuses("198.51.100.7", 1) == [200])
        }
    }

    @Test func aNetworkHasItsShareOfACodesChecks() async throws {
        try await SupabaseServer.open { server in
            try await server.sendCode()
            for guess in 0..<5 {
                let answer = try await server.verify("999999", address: "198.51.100.7")
                #expect(answer.error == (guess < 3 ? Self.expired : ["429", "over_request_rate_limit"]))
            }
            #expect(try await server.verify("100000").status == 200)
        }
    }

    @Test func aTestNumberCostsNothingMoreThanItsVerification() async throws {
        let number = try PhoneNumber(e164: Self.number)
        let codes = [number: try #require(VerificationCode("000000"))]
        let tests = TestNumbers(codes, until: Timestamp(seconds: 2_000_000_000))
        let policy = AbusePolicy(limits: .none, trafficGuard: .off, testNumbers: tests)
        try await SupabaseServer.open(abusePolicy: policy) { server in
            for name in ["Kim", "Lee"] {
                let body = #"{"phone":"\#(Self.number)","data":{"name":"\#(name)"}}"#
                let answer = try await server.call("POST", "/otp", body)
                #expect(answer.body == "{}")
            }
            #expect(try await server.store.all(PendingSignup.self).map(\.data) == [#"{"name":"Kim"}"#])
            #expect(try await server.verify("000000").json["user"]?["user_metadata"] == ["name": "Kim"])
        }
    }
}
