import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// What pages of other sites may do, and the CORS headers.
@Suite struct CrossOriginTests {
    private static let page = "https://shop.example"
    private static let signup = "/v1/signups/" + id("sgn", 1)

    private func run(_ work: @escaping @Sendable (TestServer) async throws -> Void) async throws {
        let origins = try ["http://localhost:3000", Self.page].map { try #require(WebOrigin($0)) }
        try await TestServer.run(origins: CrossOrigins(origins), work)
    }

    /// The CORS headers of a response.
    private func fields(_ answer: Answer) -> [String: String] {
        answer.headers.filter { $0.key.hasPrefix("access-control-") || $0.key == "vary" }
    }

    private static let shown = [
        "access-control-allow-origin": page,
        "access-control-expose-headers":
            "Content-Disposition, Location, Retry-After, RateLimit, RateLimit-Policy, WWW-Authenticate, X-Request-Id",
        "vary": "Origin",
    ]

    @Test func aPageOfAnotherSiteMaySignPeopleUp() async throws {
        try await run { server in
            let from = ["Origin": Self.page]
            let begun = try await server.send("POST", "/v1/signups", headers: from)
            #expect(begun.status == 201)
            #expect(fields(begun) == Self.shown)
            let shown = try await server.send("GET", Self.signup, token: "sgt_1", headers: from)
            #expect(shown.status == 200)
            #expect(fields(shown) == Self.shown)
        }
    }

    @Test(arguments: [
        ("http://localhost:5173", true), ("http://localhost", true), ("http://127.0.0.1:3000", true),
        ("https://localhost:8443", true), ("http://[::1]:3000", true), ("http://localhost.example:3000", false),
        ("http://127.0.0.1.example", false), ("http://127.0.0.2:3000", true), ("http://10.0.0.1:3000", false),
        ("https://shop.example", false), ("app://localhost", false), ("null", false), ("http://localhost:0", false),
    ])
    func pagesOfThisMachineMayInDevelopment(_ origin: String, _ isAllowed: Bool) async throws {
        try await TestServer.run(origins: CrossOrigins([], allowsLocalPages: true)) { server in
            let answer = try await server.send("POST", "/v1/signups", headers: ["Origin": origin])
            #expect(answer.headers["access-control-allow-origin"] == (isAllowed ? origin : nil))
            #expect(answer.headers["vary"] == "Origin")
            // An API key must not be in a page.
            let other = try await server.send("GET", "/v1/verifications/x", headers: ["Origin": origin])
            #expect(other.headers["access-control-allow-origin"] == nil)
        }
    }

    @Test func aRefusedSiteIsLoggedWithTheSettingOnceInAWhile() async throws {
        try await run { server in
            func send(_ origin: String, to path: String = "/v1/signups") async throws {
                _ = try await server.send("POST", path, headers: ["Origin": origin])
            }
            var lines: [String] { server.log.lines.filter { $0.contains("server.cors.origins") } }
            // Allowed, the service's own page, no site, and a path for programs.
            try await send(Self.page)
            try await send("http://127.0.0.1:\(server.server.port)")
            try await send("null")
            try await send("https://evil.example", to: "/v1/verifications")
            #expect(lines == [])
            for _ in 0..<3 { try await send("https://evil.example") }
            try await send("https://worse.example")
            #expect(lines.count == 1)
            #expect(lines.first?.contains("http.origin=https://evil.example") == true)
            server.clock.advance(by: .seconds(60))
            try await send("https://worse.example")
            #expect(lines.count == 2)
        }
    }

    @Test func itSeesErrorsAsWell() async throws {
        try await run { server in
            _ = try await server.send("POST", "/v1/signups")
            for (status, method, path, body, type) in [
                (401, "GET", Self.signup, nil, nil), (404, "GET", "/v1/signups/a/b/c", nil, nil),
                (405, "PUT", "/v1/signups", nil, nil), (415, "POST", "/v1/signups", "a", "text/plain"),
                (400, "POST", "/v1/signups", "{", "application/json"),
                (413, "POST", "/v1/signups", String(repeating: " ", count: 70_000), "application/json"),
                (422, "POST", "/v1/signups", #"{"region":1}"#, "application/json"),
            ] as [(Int, String, String, String?, String?)] {
                let answer = try await server.send(method, path, body, type: type, headers: ["Origin": Self.page])
                #expect(answer.status == status)
                #expect(fields(answer) == Self.shown)
            }
        }
    }

    @Test(arguments: [
        ("/v1/signups", "POST", "OPTIONS, POST"), (signup, "PATCH", "GET, HEAD, OPTIONS, PATCH"),
        (signup + "/send", "POST", "OPTIONS, POST"), (signup + "/sign-up", "POST", "OPTIONS, POST"),
        ("/v1/tokens", "DELETE", "DELETE, OPTIONS, POST"), ("/v1/sessions", "GET", "GET, HEAD, OPTIONS"),
        ("/oauth2/revoke", "POST", "OPTIONS, POST"),
        ("/v1/sessions/" + id("ses", 1), "DELETE", "DELETE, OPTIONS"),
        ("/v1/accounts/me", "PATCH", "DELETE, GET, HEAD, OPTIONS, PATCH"),
        ("/v1/accounts/me/number-changes", "POST", "OPTIONS, POST"),
    ])
    func itAsksBeforehand(_ path: String, _ method: String, _ allowed: String) async throws {
        try await run { server in
            let headers = [
                "Origin": Self.page, "Access-Control-Request-Method": method,
                "Access-Control-Request-Headers": "authorization,content-type",
            ]
            let answer = try await server.send("OPTIONS", path, headers: headers)
            #expect(answer.status == 204)
            #expect(answer.headers["allow"] == allowed)
            #expect(
                fields(answer) == [
                    "access-control-allow-origin": Self.page,
                    "access-control-allow-methods": allowed,
                    "access-control-allow-headers":
                        "Authorization, Content-Type, X-Request-Id, Traceparent, Tracestate"
                        + (path.hasPrefix("/v1/accounts") ? ", Idempotency-Key" : ""),
                    "access-control-max-age": "7200",
                    "vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
                ]
            )
        }
    }

    @Test(arguments: [
        "https://evil.example", "http://shop.example", "https://shop.example:8443", "https://shop.example.evil.example",
        "https://SHOP.example", "null", "*", "",
    ])
    func pagesOfOtherSitesMayNot(_ origin: String) async throws {
        try await run { server in
            let answer = try await server.send("POST", "/v1/signups", headers: ["Origin": origin])
            #expect(fields(answer) == ["vary": "Origin"])
            let headers = ["Origin": origin, "Access-Control-Request-Method": "POST"]
            let asked = try await server.send("OPTIONS", "/v1/signups", headers: headers)
            #expect(
                fields(asked) == ["vary": "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"]
            )
        }
    }

    @Test func nothingElseIsOpenToThem() async throws {
        try await run { server in
            for path in [
                "/v1/verifications", "/v1/phone-numbers/1", "/health/live", "/stub/messages", "/inbox", "/v1/signupsx",
                "/v1", "/",
            ] {
                for method in ["GET", "POST", "OPTIONS"] {
                    let headers = ["Origin": Self.page, "Access-Control-Request-Method": "POST"]
                    let answer = try await server.send(method, path, headers: headers)
                    #expect(fields(answer) == [:])
                }
            }
        }
    }

    @Test func withoutSitesNothingIsSaid() async throws {
        try await TestServer.run { server in
            let headers = ["Origin": Self.page, "Access-Control-Request-Method": "POST"]
            for method in ["POST", "OPTIONS"] {
                let answer = try await server.send(method, "/v1/signups", headers: headers)
                #expect(fields(answer) == [:])
            }
        }
    }
}
