import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct AccountMetadataTests {
    private static let me = "/v1/accounts/me"

    /// Sends a patch and returns the metadata, or the response if it has none.
    private func patch(
        _ server: TestServer,
        _ device: Device,
        _ metadata: String,
        type: String = "application/json"
    ) async throws -> String {
        let answer = try await server.send(
            "PATCH",
            Self.me,
            #"{"metadata":\#(metadata)}"#,
            type: type,
            token: device.accessToken
        )
        guard answer.status == 200 else { return "\(answer.status) \(answer.text("detail") ?? "")" }
        let kept = try await server.send("GET", Self.me, token: device.accessToken)
        #expect(kept.body == answer.body)
        return String(try #require(kept.body.firstMatch(of: /(?s)"metadata":(.*),"deletion_due_at"/)).1)
    }

    @Test func changesAreMergedIntoWhatIsThere() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            #expect(try await patch(server, device, #"{"plan":"family","seats":4}"#) == #"{"plan":"family","seats":4}"#)
            let type = "application/merge-patch+json"
            let merged = try await patch(server, device, #"{"seats":null,"address":{"city":"Seoul"}}"#, type: type)
            #expect(merged == #"{"plan":"family","address":{"city":"Seoul"}}"#)
            #expect(try await patch(server, device, "{}") == merged)
        }
    }

    @Test(arguments: [
        ("{}", "metadata is missing."), (#"{"metadata":null}"#, "metadata must be an object."),
        (#"{"metadata":[]}"#, "metadata must be an object."), (#"{"metadata":"{}"}"#, "metadata must be an object."),
        (#"{"phone_number":"+821099998888"}"#, "metadata is missing."),
    ])
    func theyMustBeAnObject(_ body: String, detail: String) async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let refused = try await server.send("PATCH", Self.me, body, token: device.accessToken)
            refused.expect(422, code: "invalid_request", field: "metadata", detail: detail)
        }
    }

    @Test func nothingElseIsChangedByThem() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let body = #"{"metadata":{"a":1},"phone_number":"+821099998888","id":"x","deletion_due_at":null}"#
            let changed = try await server.send("PATCH", Self.me, body, token: device.accessToken)
            #expect(changed.text("phone_number") == "+821012345678")
            #expect(changed.text("id") == id("acc", 4))
        }
    }

    @Test(arguments: [
        // Names and texts of any kind come back unchanged.
        (#"{"__proto__":{"admin":true},"constructor":1}"#, #"{"__proto__":{"admin":true},"constructor":1}"#),
        (#"{"a":"\u0000","b\u0000":"\u001f\u007f"}"#, "{\"a\":\"\\u0000\",\"b\\u0000\":\"\\u001f\u{7F}\"}"),
        (#"{"n":\#(String(repeating: "9", count: 400))}"#, #"{"n":\#(String(repeating: "9", count: 400))}"#),
        (#"{"n":[1e999,-0,1.10,1E+2]}"#, #"{"n":[1e999,-0,1.10,1E+2]}"#),
        (#"{"t":"</script><!-- ' \" \\ \u2028"}"#, "{\"t\":\"</script><!-- ' \\\" \\\\ \u{2028}\"}"),
        (#"{"👩‍👩‍👧":"\ud83d\ude00"}"#, #"{"👩‍👩‍👧":"😀"}"#), (#"{"":{"":{}}}"#, #"{"":{"":{}}}"#),
        (#"{"a":{"b":{"c":{"d":{"e":{"f":{"g":[]}}}}}}}"#, #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":[]}}}}}}}"#),
        (
            #"{"a":{"b":{"c":{"d":{"e":{"f":{"g":[[]]}}}}}}}"#,
            "422 metadata must not be nested deeper than 8 levels."
        ),
    ])
    func whateverItIs(_ metadata: String, _ kept: String) async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            #expect(try await patch(server, device, metadata) == kept)
        }
    }

    @Test func itHasAMaximumLength() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let refusal = "422 metadata must have at most 16384 bytes as JSON after the change."
            // {"a":"…"} adds eight bytes.
            func text(_ count: Int) -> String { String(repeating: "x", count: count) }
            #expect(try await patch(server, device, #"{"a":"\#(text(16_377))"}"#) == refusal)
            #expect(try await patch(server, device, #"{"a":"\#(text(16_376))"}"#).utf8.count == 16_384)
            #expect(try await patch(server, device, #"{"b":1}"#) == refusal)
            #expect(try await patch(server, device, #"{"a":null,"b":1}"#) == #"{"b":1}"#)
            // The stored form counts: an escape may be longer than its character.
            let controls = String(repeating: #"\u0001"#, count: 2730)
            #expect(try await patch(server, device, #"{"b":null,"a":"\#(controls)"}"#) == refusal)
        }
    }

    /// Many small members and many small changes: each is looked up once.
    @Test func manyMembersCostNoMoreThanTheyAre() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let members = (0..<1800).map { #""\#(String($0, radix: 36))":0"# }.joined(separator: ",")
            let changes = (0..<2040).map { #""\#(String($0, radix: 36))":null"# }.joined(separator: ",")
            #expect(try await patch(server, device, "{\(members)}").utf8.count == members.utf8.count + 2)
            #expect(try await patch(server, device, "{\(changes)}") == "{}")
        }
    }

    @Test func onlyJSONIsTaken() async throws {
        try await TestServer.run { server in
            let device = try await server.signIn()
            let text = try await server.send(
                "PATCH",
                Self.me,
                #"{"metadata":{}}"#,
                type: "application/json-patch+json",
                token: device.accessToken
            )
            #expect(text.status == 415)
            let typed = try await patch(server, device, "{}", type: "application/merge-patch+json; charset=utf-8")
            #expect(typed == "{}")
            let none = try await server.send("PATCH", Self.me, token: device.accessToken)
            #expect(none.status == 400)
        }
    }
}
