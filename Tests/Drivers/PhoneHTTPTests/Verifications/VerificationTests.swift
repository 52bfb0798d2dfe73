import CoreEncodings
import PhoneDomain
import PhoneTestSupport
import Testing

/// Verifications from server to server, response by response.
@Suite struct VerificationTests {
    private static let path = "/v1/verifications/" + id("ver", 1)
    private static let number = #"{"phone_number":"010-1234-5678"}"#

    @Test func aNumberIsProven() async throws {
        try await TestServer.run { server in
            let body = #"{"phone_number":"010-1234-5678","region":"KR","channel":"sms","locale":"ko"}"#
            let begun = try await server.send("POST", "/v1/verifications", body)
            begun.expect(201, verification())
            #expect(begun.headers["location"] == "/v1/verifications/ver_00000000000000000000000000000001")

            server.clock.advance(by: .seconds(30))
            let resent = try await server.send("POST", "/v1/verifications", #"{"phone_number":"+821012345678"}"#)
            #expect(resent.status == 200)
            #expect(resent.headers["location"] == nil)
            let pending = verification(
                expiresIn: 570,
                nextSendAt: "2026-01-01T00:01:30.000Z",
                nextSendIn: 60,
                sendsLeft: 3
            )
            #expect(resent.body == pending)

            let seen = try await server.send("GET", Self.path)
            seen.expect(200, pending)

            let wrong = try await server.send("POST", Self.path + "/checks", #"{"code":"000000"}"#)
            wrong.expect(
                422,
                """
                {"type":"urn:phoneproof:problem:code_incorrect",
                 "title":"Incorrect code",
                 "status":422,
                 "detail":"The code is incorrect.",
                 "code":"code_incorrect",
                 "message":"Wrong code. 4 attempts left.",
                 "checks_left":4}
                """
            )

            let right = try await server.send("POST", Self.path + "/checks", #"{"code":"314159"}"#)
            #expect(right.status == 200)
            let approved = verification(
                status: "approved",
                expiresIn: 570,
                nextSendAt: "2026-01-01T00:01:30.000Z",
                nextSendIn: 60,
                sendsLeft: 3,
                checksLeft: 3
            )
            #expect(right.body == approved)
            #expect(try await server.send("GET", Self.path).body == approved)

            let repeated = try await server.send("POST", Self.path + "/checks", #"{"code":"314159"}"#)
            repeated.expect(200, approved)

            server.clock.advance(by: .seconds(70))
            let again = try await server.send("POST", Self.path + "/checks", #"{"code":"314159"}"#)
            again.expect(
                409,
                code: "verification_closed",
                detail: "The verification has already ended; begin a new one.",
                message: "This code is no longer valid. Request a new one."
            )
        }
    }

    @Test func aClientsOwnWordsAreInEveryResponse() async throws {
        try await TestServer.run { server in
            let words = #""reference":"order 4711, é","tags":{"plan":"무료","a.b-c_D":"1","plan":"paid"}"#
            let begun = try await server.send(
                "POST",
                "/v1/verifications",
                #"{"phone_number":"010-1234-5678",\#(words)}"#
            )
            #expect(begun.status == 201)
            for answer in [begun, try await server.send("GET", Self.path), try await server.send("DELETE", Self.path)] {
                let json = try #require(Exchange.json(answer.body.utf8))
                #expect(json["reference"] == "order 4711, é")
                #expect(json["tags"] == ["a.b-c_D": "1", "plan": "paid"])
            }
            let signup = try await server.send("POST", "/v1/signups", #"{"region":"KR",\#(words)}"#)
            #expect(signup.text("reference") == "order 4711, é")
            let sent = try await GuidedSignup(server, signup).send("01087654321")
            #expect(sent.status == 202)
            let json = try #require(Exchange.json(sent.body.utf8))
            #expect(json["reference"] == "order 4711, é")
            #expect(json["verification"]?["tags"] == ["a.b-c_D": "1", "plan": "paid"])
        }
    }

    @Test(arguments: [
        ("reference", #""a\nb""#), ("reference", "4711"), ("tags", #"["a"]"#), ("tags", #""a""#), ("tags", #"{"a":1}"#),
        ("tags", #"{"a":null}"#), ("tags", #"{"":"b"}"#), ("tags", #"{"a:b":"c"}"#), ("tags", #"{"a":"b\nc:d"}"#),
        ("tags", "{" + (0...8).map { "\"\($0)\":\"b\"" }.joined(separator: ",") + "}"),
    ])
    func wordsThatAreNoneAreRefused(_ name: String, _ value: String) async throws {
        try await TestServer.run { server in
            let bodies = [
                ("/v1/verifications", #"{"phone_number":"010-1234-5678","\#(name)":\#(value)}"#),
                ("/v1/signups", #"{"\#(name)":\#(value)}"#),
            ]
            for (path, body) in bodies {
                let answer = try await server.send("POST", path, body)
                answer.expect(422, code: "invalid_request", field: name)
            }
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func aVerificationIsCanceled() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/verifications", Self.number)
            for _ in 1...2 {
                let canceled = try await server.send("DELETE", Self.path)
                canceled.expect(200, verification(status: "canceled"))
            }
            let checked = try await server.send("POST", Self.path + "/checks", #"{"code":"314159"}"#)
            #expect(checked.status == 409)
        }
    }

    @Test func anExpiredOneIsGone() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/verifications", Self.number)
            server.clock.advance(by: .seconds(600))
            #expect(try await server.send("GET", Self.path).text("status") == "expired")
            let late = try await server.send("POST", Self.path + "/checks", #"{"code":"314159"}"#)
            late.expect(410, code: "code_expired")
        }
    }

    @Test func someoneElsesVerificationIsNotThere() async throws {
        try await TestServer.run { server in
            #expect(try await server.beginSignup("01012345678").show().body.contains(id("ver", 2)))
            for name in [id("ver", 2), id("ver", 9), id("sgn", 1), "ver_1", "%00", "..%2F..%2Fetc%2Fpasswd", "ver_é"] {
                let path = "/v1/verifications/" + name.replacing("é", with: "%C3%A9")
                let answers = [
                    try await server.send("GET", path), try await server.send("DELETE", path),
                    try await server.send("POST", path + "/checks", #"{"code":"314159"}"#),
                ]
                for answer in answers {
                    answer.expect(
                        404,
                        code: "verification_not_found",
                        detail: "There is no such verification; send a code first.",
                        message: "Request a code for this number first."
                    )
                }
            }
        }
    }

    @Test(arguments: [
        (#"{}"#, "phone_number", "phone_number is missing."),
        (#"{"phone_number":null}"#, "phone_number", "phone_number must be a string."),
        (
            #"{"phone_number":"010-1234-5678","channel":"carrier-pigeon"}"#, "channel",
            "channel must be one of: auto, sms."
        ),
        (#"{"phone_number":"010-1234-5678","channel":true}"#, "channel", "channel must be a string."),
        (
            #"{"phone_number":"010-1234-5678","region":"KOR"}"#, "region",
            "region must be the ISO 3166-1 code of a supported region, such as KR."
        ),
        (
            #"{"phone_number":"010-1234-5678","locale":"k"}"#, "locale",
            "locale must be a BCP 47 language tag, such as ko or en-US."
        ),
    ])
    func aFieldThatWillNotDoIsNamed(_ body: String, field: String, detail: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", "/v1/verifications", body)
            refused.expect(422, code: "invalid_request", field: field, detail: detail)
            #expect(await server.store.outbox.isEmpty)
        }
    }

    @Test func anInvalidNumberIsSaidToBeOne() async throws {
        try await TestServer.run { server in
            let refused = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-56789"}"#)
            refused.expect(
                422,
                """
                {"type":"urn:phoneproof:problem:invalid_phone_number",
                 "title":"Invalid phone number",
                 "status":422,
                 "detail":"Remove the extra digits.",
                 "code":"invalid_phone_number",
                 "message":"This number has too many digits.",
                 "reason":"too_long"}
                """
            )
        }
    }
}
