import PhoneDomain
import PhoneTestSupport
import Testing

/// Input that nobody sends by accident: the response is a problem that names the error, never a 500, and the server
/// stays up.
@Suite struct HostileInputTests {
    private static let path = "/v1/signups/" + id("sgn", 1)

    @Test(arguments: ["[]", "[{}]", "\"{}\"", "1", "true", "null", "1e999"])
    func aBodyMustBeAnObject(_ body: String) async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            let refused = try await server.send("PATCH", Self.path, body, token: "sgt_1")
            refused.expect(422, code: "invalid_request", detail: "The body must be a JSON object.")
        }
    }

    @Test func bytesThatAreNoTextAreMalformed() async throws {
        try await TestServer.run { server in
            for bytes: [UInt8] in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80]] {
                for (head, tail) in [(#"{"phone_text":""#, #""}"#), (#"{"x":""#, #""}"#), (#"{""#, #"":1}"#)] {
                    let refused = try await server.server.send(
                        "POST",
                        "/v1/signups",
                        parts: [Array(head.utf8), bytes, Array(tail.utf8)]
                    )
                    refused.expect(400, code: "invalid_request", detail: "The body is not well-formed JSON.")
                }
            }
        }
    }

    @Test func ofTwoMembersOfOneNameTheLastCounts() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            let body = #"{"phone_text":"0101","phone_text":"0102"}"#
            let edited = try await server.send("PATCH", Self.path, body, token: "sgt_1")
            #expect(edited.status == 200)
            #expect(edited.text("phone_text") == "010-2")
        }
    }

    @Test(arguments: ["1", "1.5", "-0", "1e400", "true", "[]", "{}", "[\"0101\"]", "99999999999999999999999999"])
    func aFieldOfTheWrongTypeIsNamed(_ value: String) async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            for (method, path, field) in [
                ("PATCH", Self.path, "phone_text"), ("PATCH", Self.path, "code_text"),
                ("POST", Self.path + "/send", "phone_text"), ("POST", Self.path + "/sign-up", "code_text"),
                ("POST", "/v1/signups", "region"), ("POST", "/v1/signups", "locale"),
                ("POST", "/v1/verifications", "phone_number"),
                ("POST", "/v1/verifications/\(id("ver", 1))/checks", "code"), ("PUT", "/stub/behavior", "mode"),
            ] {
                // An invalid key would be refused before the body is read.
                let token = path.hasPrefix("/v1/signups/") ? "sgt_1" : nil
                let refused = try await server.send(method, path, #"{"\#(field)":\#(value)}"#, token: token)
                refused.expect(422, code: "invalid_request", field: field, detail: "\(field) must be a string.")
            }
        }
    }

    @Test(arguments: [
        String(repeating: "1", count: 10_000), String(repeating: "0", count: 60_000), "📱👩‍👩‍👧‍👦🇰🇷", "٠١٠١٢٣٤٥٦٧٨",
        "010\\u0000123\\u202e45678", "010-1234-5678'; DROP TABLE signup;--", "<script>alert(1)</script>",
        String(repeating: "e\u{301}", count: 5000), String(repeating: "👨‍👩‍👧‍👦", count: 2000), "{{7*7}}", "%s%n", "+", "++82",
    ])
    func anyTextCanBeTyped(_ text: String) async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            for field in ["phone_text", "code_text"] {
                let typed = try await server.send("PATCH", Self.path, #"{"\#(field)":"\#(text)"}"#, token: "sgt_1")
                #expect(typed.status == 200)
                let shown = try #require(typed.text(field))
                #expect(shown.unicodeScalars.count <= 65)
            }
            let sent = try await server.send("POST", Self.path + "/send", token: "sgt_1")
            #expect([202, 403, 422].contains(sent.status))
            let code = #"{"code_text":"\#(text)"}"#
            let checked = try await server.send("POST", Self.path + "/sign-up", code, token: "sgt_1")
            #expect([404, 422].contains(checked.status))
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"\#(text)"}"#)
            #expect([201, 403, 422, 429].contains(begun.status))
        }
    }

    @Test(arguments: [
        "sgn_", "sgn_" + String(repeating: "0", count: 31), "sgn_" + String(repeating: "0", count: 33),
        "sgn_" + String(repeating: "G", count: 32), "SGN_" + String(repeating: "0", count: 32), "..", ".", "%2e%2e%2f",
        "%00", "%FF", "-1", "*", "sgn_%30" + String(repeating: "0", count: 31), String(repeating: "a", count: 8000),
    ])
    func aNameThatIsNoneNamesNothing(_ name: String) async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            let line = "GET /v1/signups/\(name) HTTP/1.1\r\nAuthorization: Bearer sgt_1"
            let refused = try await server.server.sendRaw(line)
            refused.expect(404, code: "signup_not_found")
        }
    }

    @Test(arguments: [
        "GET", "GET /", "GET / HTTP/9.9", "\u{0}\u{1}\u{2}", "GET /health/live HTTP/1.1\r\nA B: c",
        "POST /v1/signups HTTP/1.1\r\nContent-Length: -1",
        "POST /v1/signups HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2",
        "POST /v1/signups HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
        "POST /v1/signups HTTP/1.0\r\nTransfer-Encoding: chunked",
        "POST /v1/signups HTTP/1.1\r\nTransfer-Encoding: gzip, chunked",
        // U+212A (KELVIN SIGN), whose lower case is `k`.
        "POST /v1/signups HTTP/1.1\r\nTransfer-Encoding: chun\u{212A}ed",
        "POST /v1/signups HTTP/1.1\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked",
    ])
    func whatIsNoHTTPIsRefused(_ head: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.server.sendRaw(head, isHTTP: false)
            refused.expect(
                400,
                """
                {"type":"urn:phoneproof:problem:invalid_request",
                 "title":"Invalid request",
                 "status":400,
                 "detail":"This is not a valid HTTP/1.1 request (RFC 9112).",
                 "code":"invalid_request"}
                """
            )
            var headers = refused.headers
            #expect(headers.removeValue(forKey: "x-request-id") != nil)
            #expect(
                headers == [
                    "content-type": "application/problem+json", "content-length": String(refused.body.utf8.count),
                    "connection": "close", "date": "Thu, 01 Jan 2026 00:00:00 GMT", "cache-control": "no-store",
                    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
                    "cross-origin-resource-policy": "same-origin", "referrer-policy": "no-referrer",
                    "x-content-type-options": "nosniff",
                ]
            )
            #expect(try await server.send("GET", "/health/live").status == 200)
        }
    }

    @Test(arguments: [
        "GET /health/live HTTP/1.1\r\nX: " + String(repeating: "a", count: 100_000),
        "GET /" + String(repeating: "a", count: 100_000) + " HTTP/1.1",
        "GET /health/live HTTP/1.1\r\n" + String(repeating: "X: a\r\n", count: 101) + "Y: a",
        "GET /health/live HTTP/1.1\r\n"
            + String(repeating: "X: " + String(repeating: "a", count: 300) + "\r\n", count: 80)
            + "Y: a",
    ])
    func aHeaderIsReadNoFurtherThanItMayGo(_ head: String) async throws {
        try await TestServer.run { server in
            let refused = try await server.server.sendRaw(head)
            #expect(refused.headers["content-type"] == "application/problem+json")
            #expect(refused.headers["connection"] == "close")
            refused.expect(
                431,
                code: "header_too_large",
                detail: "The request's line and fields have more than 16384 bytes, or more than 100 fields."
            )
            #expect(try await server.send("GET", "/health/live").status == 200)
        }
    }

    @Test func aBodyThatIsNotFramedAsHTTPIsMalformed() async throws {
        try await TestServer.run { server in
            let head = "POST /v1/signups HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked"
            let refused = try await server.server.sendRaw(head, "xyz\r\n{}\r\n0\r\n\r\n")
            refused.expect(400, code: "invalid_request", detail: "The body is incomplete, or its framing is invalid.")
            #expect(refused.headers["connection"] == "close")
            #expect(try await server.send("GET", "/health/live").status == 200)
        }
    }

    @Test func aPathMayBeAnything() async throws {
        try await TestServer.run { server in
            for path in [
                "*", "http://example.com/v1/signups", "//x", "/x?", "/x#", "/\u{301}", "/%", "/v1//signups//x?a=%ZZ&=&",
            ] {
                let isHTTP = path.utf8.allSatisfy { $0 < 0x80 }
                let answer = try await server.server.sendRaw("GET \(path) HTTP/1.1", isHTTP: isHTTP)
                #expect([400, 401, 404, 405].contains(answer.status))
            }
        }
    }
}
