import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP
@testable import SMSStub

@Suite struct StubTests {
    @Test func aFormIsTakenApartByItsBytes() {
        let fields = Request.formFields(in: "\u{600}&\u{301}a=\u{301}b+\u{301}%26&c&=d&e==f").all
        #expect(fields.map(\.name) == ["\u{600}", "\u{301}a", "c", "", "e"])
        #expect(fields.map(\.value) == ["", "\u{301}b \u{301}&", "", "d", "=f"])
    }

    @Test func showsItsMessagesNewestFirst() async throws {
        try await TestServer.run { server in
            #expect(try await server.send("GET", "/stub/messages").body == #"{"messages":[]}"#)
            _ = try await server.inbox.accept(to: "+821012345678", from: "PhoneProof", body: "[PhoneProof] 314159")
            _ = try await server.inbox.accept(to: "+821087654321", from: "PhoneProof", body: "\"둘\"\n")
            let all = try await server.send("GET", "/stub/messages")
            all.expect(
                200,
                #"""
                {"messages":[{"sid":"SM00000000000000000000000000000002",
                  "to":"+821087654321",
                  "from":"PhoneProof",
                  "body":"\"둘\"\n",
                  "status":"delivered",
                  "segments":1,
                  "created_at":"2026-01-01T00:00:00.000Z"},
                 {"sid":"SM00000000000000000000000000000001",
                  "to":"+821012345678",
                  "from":"PhoneProof",
                  "body":"[PhoneProof] 314159",
                  "status":"delivered",
                  "segments":1,
                  "created_at":"2026-01-01T00:00:00.000Z"}]}
                """#
            )
            for query in ["to=+821012345678", "to=%2B821012345678&limit=10"] {
                let some = try await server.send("GET", "/stub/messages?" + query)
                #expect(some.text("sid") == "SM00000000000000000000000000000001")
                #expect(!some.body.contains("SM00000000000000000000000000000002"))
            }
            let newest = try await server.send("GET", "/stub/messages?limit=1")
            #expect(newest.text("sid") == "SM00000000000000000000000000000002")
            #expect(!newest.body.contains("SM00000000000000000000000000000001"))

            let cleared = try await server.send("DELETE", "/stub/messages")
            #expect(cleared.status == 204)
            #expect(cleared.body.isEmpty)
            #expect(try await server.send("GET", "/stub/messages").body == #"{"messages":[]}"#)
        }
    }

    @Test(arguments: ["0", "-1", "1001", "ten", "99999999999999999999"])
    func aLimitMustBeOne(_ limit: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("GET", "/stub/messages?limit=\(limit)")
            refused.expect(422, code: "invalid_request", field: "limit")
            #expect(refused.text("detail") == "limit must be a whole number from 1 to 1000.")
        }
    }

    @Test func theStubBehavesAsConfigured() async throws {
        try await TestServer.run { server in
            let answer = try await server.send(
                "PUT",
                "/stub/behavior",
                #"{"mode":"reject","delay_ms":250,"error_code":21614,"to_prefix":"+8210"}"#
            )
            answer.expect(200, #"{"mode":"reject","delay_ms":250,"error_code":21614,"to_prefix":"+8210"}"#)
            let expected = StubBehavior(
                mode: .reject,
                delay: .milliseconds(250),
                errorCode: 21614,
                toPrefix: "+8210"
            )
            #expect(await server.inbox.behavior == expected)

            let plain = try await server.send("PUT", "/stub/behavior", #"{"mode":"deliver"}"#)
            #expect(plain.body == #"{"mode":"deliver","delay_ms":0,"error_code":null,"to_prefix":null}"#)
            #expect(await server.inbox.behavior == .deliver)
        }
    }

    @Test(arguments: [
        (#"{}"#, "mode", "mode is missing."),
        (#"{"mode":"explode"}"#, "mode", "mode must be one of: deliver, fail, reject, hang."),
        (#"{"mode":"deliver","delay_ms":60001}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (#"{"mode":"deliver","delay_ms":-1}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (#"{"mode":"deliver","delay_ms":"1"}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (#"{"mode":"deliver","delay_ms":1.5}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (#"{"mode":"deliver","delay_ms":1e3}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (#"{"mode":"deliver","delay_ms":1e400}"#, "delay_ms", "delay_ms must be a whole number from 0 to 60000."),
        (
            #"{"mode":"fail","error_code":9223372036854775808}"#, "error_code",
            "error_code must be a whole number from 10000 to 99999."
        ),
        (#"{"mode":"fail","error_code":9999}"#, "error_code", "error_code must be a whole number from 10000 to 99999."),
        (#"{"mode":"fail","error_code":true}"#, "error_code", "error_code must be a whole number from 10000 to 99999."),
        (#"{"mode":"fail","to_prefix":82}"#, "to_prefix", "to_prefix must be a string."),
    ])
    func aBehaviorMustBeOne(_ body: String, field: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("PUT", "/stub/behavior", body)
            refused.expect(422, code: "invalid_request", field: field, detail: detail)
            #expect(await server.inbox.behavior == .deliver)
        }
    }

    @Test func withoutAStubThereIsNothingAtItsPaths() async throws {
        try await TestServer.run(hasStub: false) { server in
            let account = "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json"
            for path in ["/stub/messages", "/stub/behavior", "/inbox", account] {
                let answer = try await server.send("GET", path)
                #expect(answer.status == 404)
                if path != account { #expect(answer.text("code") == "not_found") }
            }
        }
    }
}
