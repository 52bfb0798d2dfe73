import PhoneTestSupport
import Testing

/// What a person typed means the same wherever it comes in: at the guided signup, on the pages and from server to
/// server.
@Suite struct TypedTextTests {
    /// JSON strings, percent-encoded for a form.
    private func encoded(_ text: String) -> String {
        text.utf8.map { byte in "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }

    @Test(arguments: [
        "++82 10-1234-5678", "tel:+82-10-1234-5678", "+82 10ー1234ー5678",
        "\u{202A}＋８２ 10\u{2011}1234\u{2011}5678\u{202C}",
    ])
    func aNumberIsReadTheSameEverywhere(_ text: String) async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"\#(text)"}"#)
            #expect(begun.status == 201)
        }
        try await TestServer.run { server in
            let signup = try await server.beginSignup()
            let sent = try await signup.send(text)
            #expect(sent.status == 202)
            #expect(sent.text("phone_text") == "+82 10-1234-5678")
        }
    }

    @Test(arguments: [
        "+82 10-1234-567 x8", "+82101234567;ext=8", "+82 10-1234-567#8", "+8210d12345678", "+82101234567～8",
    ])
    func aNumberWithAnExtensionIsRefusedEverywhere(_ text: String) async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"\#(text)"}"#)
            #expect(begun.text("reason") == "not_a_number")

            let sent = try await server.beginSignup().send(text)
            #expect(sent.text("reason") == "not_a_number")
            #expect(sent.text("phone_text") == text)

            let shown = try await Browser(server).post("phone_text=\(encoded(text))")
            #expect(shown.body.contains("That&#39;s not a phone number."))
            #expect(shown.body.contains("value=\"\(text)\""))
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test(arguments: [
        "\u{200E}314159\u{200E}", "\u{200B}314159", "314159\u{FEFF}", "\u{202A}314159\u{202C}",
        "\u{2068}314 159\u{2069}",
        "314ー159", "３１４１５９", "\u{2068}\u{202A}\u{200E}\u{200B}314159\u{FEFF}\u{200E}\u{202C}\u{2069}",
    ])
    func aCodeIsReadTheSameEverywhere(_ text: String) async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"+821012345678"}"#)
            let path = "/v1/verifications/\(id("ver", 1))/checks"
            #expect(try await server.send("POST", path, #"{"code":"\#(text)"}"#).text("status") == "approved")
        }
        try await TestServer.run { server in
            let signup = try await server.beginSignup("01012345678")
            #expect(try await signup.signUp(text).status == 201)
        }
    }
}
