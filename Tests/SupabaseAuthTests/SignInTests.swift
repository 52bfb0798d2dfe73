import PhoneDomain
import Testing
import TextEncodings

@testable import SupabaseAuth

@Suite struct SignInTests {
    @Test func aPersonSignsUpByACode() async throws {
        try await SupabaseServer.run { server in
            let tokens = try await server.signIn("100000", SupabaseServer.number, #","data":{"name":"Kim"}"#)
            #expect(tokens.json["token_type"] == "bearer")
            let user = try #require(tokens.json["user"])
            #expect(user["phone"] == "821012345678")
            #expect(user["user_metadata"] == ["name": "Kim"])
            let shown = try await server.send("GET", "/user", token: tokens.access)
            #expect(shown.status == 200)
            #expect(shown.json == user)
        }
    }
}
