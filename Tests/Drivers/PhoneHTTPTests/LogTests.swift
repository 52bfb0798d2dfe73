import Logging
import PhoneDomain
import PhoneTestSupport
import Testing

@testable import PhoneHTTP

/// What the log says of requests at its most verbose level.
@Suite struct LogTests {
    @Test func everyRequestLeavesALine() async throws {
        try await TestServer.run { server in
            let name = ["X-Request-Id": "r1"]
            _ = try await server.send("GET", "/v1/phone-numbers/01012345678", headers: name)
            _ = try await server.send("POST", "/v1/signups/sgn_1/send", headers: name)
            _ = try await server.send("DELETE", "/v1/signups", headers: name)
            _ = try await server.send("GET", "/01012345678?phone=01012345678", headers: name)
            let lines = server.log.lines.filter { $0.contains("request.id=r1") }.map { line in
                line.replacing(/http.microseconds=\d+/, with: "http.microseconds=…")
            }
            #expect(
                lines == [
                    "info: answered [http.method=GET http.microseconds=… "
                        + "http.route=/v1/phone-numbers/{text} http.status=200 request.id=r1]",
                    "info: answered [http.method=POST http.microseconds=… "
                        + "http.route=/v1/signups/{id}/send http.status=401 request.id=r1]",
                    "info: answered [http.method=DELETE http.microseconds=… http.route=- http.status=405 request.id=r1]",
                    "info: answered [http.method=GET http.microseconds=… http.route=- http.status=404 request.id=r1]",
                ]
            )
        }
    }

    /// Else pages that connect again and again, and a monitor, would hide the other lines.
    @Test func pollsAreLoggedForDevelopersOnly() async throws {
        try await TestServer.run { server in
            let name = ["X-Request-Id": "r1"]
            for (method, path) in [
                ("GET", "/inbox"), ("HEAD", "/inbox/events"), ("GET", "/stub/messages"), ("GET", "/health/live"),
                ("GET", "/health/ready"), ("GET", "/metrics"), ("GET", "/stub/messages?limit=0"),
                ("DELETE", "/stub/messages"), ("GET", "/openapi.json"),
            ] {
                _ = try await server.send(method, path, headers: name)
            }
            let levels = server.log.lines.filter { $0.contains("request.id=r1") }.map { $0.prefix { $0 != " " } }
            #expect(levels == ["debug:", "debug:", "debug:", "debug:", "debug:", "debug:", "info:", "info:", "info:"])
        }
    }

    @Test func aRefusedRegionNamesTheSetting() async throws {
        try await TestServer.run { server in
            let begun = try await server.send("POST", "/v1/verifications", #"{"phone_number":"+12125550123"}"#)
            #expect(begun.status == 403)
            _ = try await server.send("POST", "/v1/signups")
            let number = #"{"phone_text":"+12125550123"}"#
            let sent = try await server.send("POST", "/v1/signups/\(id("sgn", 1))/send", number, token: "sgt_1")
            #expect(sent.status == 403)
            #expect(server.log.lines.filter { $0.contains("verification.allowed_regions") }.count == 2)
            #expect(!server.log.contains("5550123"))
        }
    }

    @Test func `the cause of a problem that a handler throws is logged, once a minute, and not sent`() async throws {
        let (router, clock, log) = (APIRouter(), ManualClock(), LogRecorder())
        router.get("/health/ready") { _, _ -> Response in
            throw Problem(.unavailable(cause: "no space left"), at: clock.now())
        }
        try await RunningServer.run(router, clock: clock, logger: log.logger) { server in
            for _ in 0..<2 {
                let answer = try await server.send("GET", "/health/ready")
                #expect(answer.status == 503)
                #expect(!answer.body.contains("no space left"))
            }
            #expect(
                log.lines.count { $0.contains("error: Unavailable") && $0.contains("error.cause=no space left") } == 1
            )
        }
    }

    @Test func aLogThatKeepsNothingWillDo() async throws {
        let router = APIRouter()
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        try await RunningServer.run(router, clock: ManualClock(), logger: silent) { server in
            let answer = try await server.send("GET", "/")
            #expect(answer.status == 404)
            #expect(answer.headers["x-request-id"]?.isEmpty == false)
        }
    }

    @Test func noLineContainsACodeATokenOrANumber() async throws {
        try await TestServer.run { server in
            let path = "/v1/signups/" + id("sgn", 1)
            let number = #"{"phone_text":"010-1234-5678"}"#
            _ = try await server.send("POST", "/v1/signups")
            _ = try await server.send("POST", path + "/send", number, token: "sgt_1")
            _ = try await server.send("POST", path + "/send", number, token: "sgt_1")
            _ = try await server.send("POST", path + "/sign-up", #"{"code_text":"271828"}"#, token: "sgt_1")
            _ = try await server.send("POST", path + "/sign-up", #"{"code_text":"314159"}"#, token: "sgt_1")
            _ = try await server.send("POST", path + "/sign-up", #"{"code_text":314159}"#, token: "sgt_1")
            _ = try await server.send("POST", path + "/sign-up", #"{"code_text":"314159""#, token: "sgt_1")
            _ = try await server.send("GET", path, token: "sgt_271828")
            _ = try await server.send("GET", "/v1/phone-numbers/010-1234-5678")
            // No proper client would send it.
            _ = try await server.server.sendRaw("GET /v1/phone-numbers/%FF010-1234-5678 HTTP/1.1")
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-1234-5678"}"#)
            _ = try await server.send("GET", "/010-1234-5678?code=314159&token=sgt_1")
            _ = try await server.send("GET", "/stub/messages?to=+821012345678")
            _ = try await server.send(
                "POST",
                "/2010-04-01/Accounts/AC00000000000000000000000000000000/Messages.json",
                "To=%2B821012345678&From=PhoneProof&Body=314159",
                type: "application/x-www-form-urlencoded"
            )
            #expect(server.log.lines.count >= 14)
            for secret in ["314159", "271828", "sgt_", "1234-5678", "12345678", "5678"] {
                #expect(!server.log.contains(secret))
            }
        }
    }
}
