import HTTPTypes
import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// Paths, methods, bodies, and what every response has in common.
@Suite struct ProblemTests {
    private static let signup = "/v1/signups/" + id("sgn", 1)

    @Test func anUnknownPathIsAProblem() async throws {
        try await TestServer.run { server in
            for path in [
                "/v1", "/v1/signup", "/v1/phone-numbers/", "/v1/phone-numbers/010/1", "/%2e%2e/etc/passwd",
            ] {
                let answer = try await server.send("GET", path)
                #expect(answer.headers["content-type"] == "application/problem+json")
                answer.expect(
                    404,
                    """
                    {"type":"urn:phoneproof:problem:not_found",
                     "title":"Not found",
                     "status":404,
                     "detail":"There is no such path.",
                     "code":"not_found"}
                    """
                )
            }
        }
    }

    @Test func aBrowserGetsAPageForAnUnknownPathAndAProgramNever() async throws {
        let browser = ["Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Accept-Language": "en"]
        try await TestServer.run { server in
            for (path, start) in [("/nothing", "./"), ("/a/b", "../"), ("/%3Cb%3E", "./")] {
                let page = try await server.send("GET", path, headers: browser)
                #expect(page.status == 404)
                #expect(page.headers["content-type"] == "text/html; charset=utf-8")
                #expect(page.body.contains("<h1>Page not found</h1>"))
                #expect(page.body.contains(#"<a class="button" href="\#(start)">"#))
                #expect(!page.body.contains("<b>"))
            }
            for (method, path, headers) in [
                ("GET", "/v1/nothing", browser), ("POST", "/nothing", browser), ("GET", "/nothing", ["Accept": "*/*"]),
                ("GET", "/nothing", [:]),
            ] {
                let answer = try await server.send(method, path, headers: headers)
                #expect(answer.status == 404)
                #expect(answer.headers["content-type"] == "application/problem+json")
            }
        }
    }

    @Test(arguments: [
        ("DELETE", "/v1/signups", "OPTIONS, POST"),
        ("GET", "/v1/signups", "OPTIONS, POST"),
        ("PUT", "/v1/signups/x", "GET, HEAD, OPTIONS, PATCH"),
        ("GET", "/v1/signups/x/send", "OPTIONS, POST"),
        ("GET", "/v1/signups/x/sign-up", "OPTIONS, POST"),
        ("PUT", "/v1/verifications", "OPTIONS, POST"),
        ("POST", "/v1/verifications/x", "DELETE, GET, HEAD, OPTIONS"),
        ("GET", "/v1/verifications/x/checks", "OPTIONS, POST"),
        ("POST", "/v1/phone-numbers/010", "GET, HEAD, OPTIONS"),
        ("PUT", "/stub/messages", "DELETE, GET, HEAD, OPTIONS"),
        ("GET", "/stub/behavior", "OPTIONS, PUT"),
        ("POST", "/inbox", "GET, HEAD, OPTIONS"),
        ("DELETE", "/health/live", "GET, HEAD, OPTIONS"),
        ("PROPFIND", "/health/ready", "GET, HEAD, OPTIONS"),
    ])
    func aWrongMethodGetsTheAllowedOnes(_ method: String, path: String, allowed: String) async throws {
        try await TestServer.run { server in
            let answer = try await server.send(method, path)
            #expect(answer.headers["allow"] == allowed)
            answer.expect(405, code: "method_not_allowed", detail: "This path allows \(allowed).")
            let options = try await server.send("OPTIONS", path)
            #expect(options.status == 204)
            #expect(options.headers["allow"] == allowed)
            #expect(options.body.isEmpty)
        }
    }

    @Test func aHeadIsAnsweredWithoutABody() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/signups")
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"01012345678"}"#)
            for (path, status) in [
                ("/health/live", 200), ("/health/ready", 200), ("/v1/phone-numbers/01012345678", 200),
                ("/stub/messages", 200), ("/inbox", 200), ("/v1/verifications/\(id("ver", 3))", 404),
                ("/2010-04-01/Accounts/AC\(String(repeating: "0", count: 32))/Messages.json", 200),
                (Self.signup, 200), ("/nothing", 404), ("/v1/signups/x", 404), ("/v1/signups", 405),
            ] {
                let isSignup = path.hasPrefix("/v1/signups/")
                let fields = "HTTP/1.1" + (isSignup ? "\r\nAuthorization: Bearer sgt_1" : "")
                let head = try await server.server.sendRaw("HEAD \(path) \(fields)")
                let get = try await server.server.sendRaw("GET \(path) \(fields)")
                #expect(head.status == status)
                #expect(head.body.isEmpty)
                var (headFields, getFields) = (head.headers, get.headers)
                for field in ["x-request-id", "date", "content-security-policy"] {
                    #expect(headFields.removeValue(forKey: field) != nil)
                    getFields[field] = nil
                }
                #expect(headFields == getFields)
                #expect(headFields["content-length"] == String(get.body.utf8.count))
            }
        }
    }

    @Test func ofTheServerAsAWholeOneMayAskAsWell() async throws {
        try await TestServer.run { server in
            let answer = try await server.server.sendRaw("OPTIONS * HTTP/1.1")
            #expect(answer.status == 204)
            #expect(answer.headers["allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
            #expect(answer.headers["content-length"] == nil)
            #expect(try await server.server.sendRaw("GET * HTTP/1.1").status == 404)
            #expect(try await server.send("OPTIONS", "/nothing").status == 404)
        }
    }

    @Test func aBodyMayHave64KiB() async throws {
        try await TestServer.run { server in
            func body(_ size: Int) -> String {
                let (head, tail) = (#"{"padding":""#, #""}"#)
                return head + String(repeating: "x", count: size - head.utf8.count - tail.utf8.count) + tail
            }
            #expect(try await server.send("POST", "/v1/signups", body(65_536)).status == 201)
            let tooLong = json(
                """
                {"type":"urn:phoneproof:problem:body_too_large",
                 "title":"Body too large",
                 "status":413,
                 "detail":"The body has more than 65536 bytes.",
                 "code":"body_too_large"}
                """
            )
            let announced = try await server.send("POST", "/v1/signups", body(65_537))
            announced.expect(413, tooLong)

            let parts = [[UInt8]](repeating: [UInt8](repeating: UInt8(ascii: " "), count: 1024), count: 65)
            let chunked = try await server.server.send("POST", "/v1/signups", parts: parts)
            chunked.expect(413, tooLong)
        }
    }

    @Test(arguments: [
        "text/plain", "application/x-www-form-urlencoded", "application/jsonp", "application/json-patch+json", "",
        "multipart/form-data; boundary=application/json",
    ])
    func aBodyMustBeSaidToBeJSON(_ type: String) async throws {
        try await TestServer.run { server in
            for type in [type, nil] {
                let refused = try await server.send("POST", "/v1/signups", "{}", type: type)
                refused.expect(
                    415,
                    code: "unsupported_media_type",
                    detail: "Send the body as JSON: Content-Type: application/json."
                )
            }
        }
    }

    @Test(arguments: [
        "application/json", "APPLICATION/JSON", "application/json; charset=utf-8", " application/json ;x",
    ])
    func thatABodyIsJSONMayBeSaidInManyWays(_ type: String) async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/signups", "{}", type: type)
            #expect(begun.status == 201)
        }
    }

    @Test func noBodyIsABodyWithoutFields() async throws {
        try await TestServer.run { server in
            for type in ["application/json", nil] {
                #expect(try await server.send("POST", "/v1/signups", "", type: type).status == 201)
            }
            let patch = try await server.send("PATCH", Self.signup, "", token: "sgt_1")
            patch.expect(400, code: "invalid_request", detail: "The body is empty; send a JSON object.")
        }
    }

    @Test func everyAnswerKeepsBrowsersAndCachesInCheck() async throws {
        try await TestServer.run { server in
            for (method, path) in [
                ("POST", "/v1/signups"), ("GET", "/health/live"), ("GET", "/nothing"), ("DELETE", "/stub/messages"),
                ("OPTIONS", "/inbox"), ("GET", Self.signup),
            ] {
                let answer = try await server.send(method, path)
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                // It has a meaning with TLS only.
                #expect(answer.headers["strict-transport-security"] == nil)
                #expect(answer.headers["vary"] == nil)
                #expect(answer.headers["content-security-policy"] == "default-src 'none'; frame-ancestors 'none'")
                #expect(answer.headers["access-control-allow-origin"] == nil)
                #expect(answer.headers["server"] == nil)
            }
        }
    }

    @Test func aRequestKeepsTheNameItCameWith() async throws {
        try await TestServer.run { server in
            let named = try await server.send("GET", "/health/live", headers: ["X-Request-Id": "web-1.a_b~C"])
            #expect(named.headers["x-request-id"] == "web-1.a_b~C")
            #expect(server.log.lines.contains { $0.contains("request.id=web-1.a_b~C") })

            let names = ["", "a b", "é", "<script>", String(repeating: "a", count: 65), "a\"b", "${jndi:x}"]
            for name in names {
                let answer = try await server.send("GET", "/health/live", headers: ["X-Request-Id": name])
                let given = try #require(answer.headers["x-request-id"])
                #expect((17...32).contains(given.count) && given.allSatisfy { $0.isHexDigit })
            }
        }
    }

    @Test func anUnexpectedErrorRevealsNothingToTheCaller() async throws {
        struct Surprise: Error { let secret = "01012345678" }
        let log = LogRecorder()
        let router = APIRouter()
        router.get("surprise") { _, _ -> Response in throw Surprise() }
        try await RunningServer.run(router, clock: ManualClock(), logger: log.logger, contract: nil) { server in
            let answer = try await server.send("GET", "/surprise")
            #expect(answer.headers["cache-control"] == "no-store")
            answer.expect(
                500,
                """
                {"type":"urn:phoneproof:problem:internal_error",
                 "title":"Internal error",
                 "status":500,
                 "detail":"Internal error; the request can be retried.",
                 "code":"internal_error",
                 "message":"Something went wrong. Try again."}
                """
            )
        }
        #expect(log.lines.contains { $0.contains("Surprise") })
        #expect(!log.lines.contains { $0.contains("01012345678") })
    }

    @Test func everyCodeHasAStatusAndATitle() {
        let rows = ProblemCode.allCases.map { "\($0.status.code) \($0.rawValue): \($0.title)" }
        #expect(
            rows == [
                "422 invalid_request: Invalid request",
                "422 invalid_phone_number: Invalid phone number",
                "403 region_not_allowed: Region not allowed",
                "422 channel_unavailable: Channel unavailable",
                "429 resend_too_soon: Resend too soon",
                "429 max_sends_reached: No sends left",
                "429 rate_limited: Rate limited",
                "428 challenge_required: Challenge required",
                "422 challenge_failed: Challenge failed",
                "403 send_denied: Send denied",
                "422 code_incorrect: Incorrect code",
                "410 code_expired: Code expired",
                "429 max_checks_reached: No checks left",
                "404 verification_not_found: Verification not found",
                "409 verification_closed: Verification closed",
                "404 signup_not_found: Signup not found",
                "409 account_dormant: Account dormant",
                "403 account_suspended: Account suspended",
                "422 consent_required: Consent required",
                "409 number_taken: Number taken",
                "404 number_change_not_found: Number change not found",
                "404 session_not_found: Session not found",
                "403 reauthentication_required: Reauthentication required",
                "401 unauthorized: Unauthorized",
                "403 insufficient_scope: Insufficient scope",
                "403 signature_invalid: Signature invalid",
                "422 idempotency_conflict: Idempotency conflict",
                "409 conflict: Conflict",
                "404 not_found: Not found",
                "405 method_not_allowed: Method not allowed",
                "413 body_too_large: Body too large",
                "431 header_too_large: Header too large",
                "415 unsupported_media_type: Unsupported media type",
                "503 unavailable: Unavailable",
                "500 internal_error: Internal error",
            ]
        )
    }

    /// A wait that is over by the time of the response is still a wait.
    @Test func aWaitIsAtLeastASecond() {
        let moment = Timestamp(milliseconds: 1_000_000)
        for (milliseconds, seconds) in [(-5000, "1"), (0, "1"), (1, "1"), (1000, "1"), (1001, "2")] {
            let problem = Problem(.resendTooSoon(nextSendAt: moment + .milliseconds(milliseconds)), at: moment)
            #expect(problem.headers[.retryAfter] == seconds)
        }
    }
}
