import PhoneAccounts
import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Telemetry
import Testing

/// What `/metrics` shows, and to whom.
@Suite struct MetricsTests {
    private let registry = PrometheusRegistry(MetricFamily.all)

    private var page: MetricsPage {
        MetricsPage { [registry] accept in
            let format = ExpositionFormat(accept: accept)
            return (format.contentType, registry.text(format))
        }
    }

    private func samples(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter {
            $0.hasPrefix("phoneproof_http") && !$0.contains("_seconds_") && !$0.hasSuffix(" 0")
        }
    }

    @Test func requestsAreCountedByRouteMethodAndStatus() async throws {
        try await TestServer.run(metrics: page, instruments: Instruments(metrics: registry, tracer: nil)) { server in
            let number = #"{"phone_number":"010-1234-5678"}"#
            _ = try await server.send("POST", "/v1/verifications", number)
            _ = try await server.send("POST", "/v1/verifications", number)
            _ = try await server.send("GET", "/v1/verifications/ver_01012345678")
            _ = try await server.send("GET", "/01012345678?phone=01012345678")
            _ = try await server.send("HEAD", "/health/live")
            _ = try await server.send("DELETE", "/v1/verifications")
            // NIO's parser knows it, and no route does.
            _ = try await server.send("PROPFIND", "/health/live")
            let answer = try await server.send("GET", "/metrics")
            #expect(answer.status == 200)
            #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
            #expect(
                samples(answer.body) == [
                    #"phoneproof_http_requests_total{route="/health/live",method="HEAD",status="200"} 1"#,
                    #"phoneproof_http_requests_total{route="/v1/verifications",method="POST",status="201"} 1"#,
                    #"phoneproof_http_requests_total{route="/v1/verifications",method="POST",status="429"} 1"#,
                    #"phoneproof_http_requests_total{route="/v1/verifications/{id}",method="GET",status="404"} 1"#,
                    #"phoneproof_http_requests_total{route="none",method="DELETE",status="405"} 1"#,
                    #"phoneproof_http_requests_total{route="none",method="GET",status="404"} 1"#,
                    #"phoneproof_http_requests_total{route="none",method="other",status="405"} 1"#,
                    // This request.
                    "phoneproof_http_requests_in_flight 1",
                ]
            )
            let fault = #"phoneproof_http_requests_total{route="/v1/signups",method="POST",status="503"} 0"#
            #expect(answer.body.contains(fault))
            let count = #"phoneproof_http_request_duration_seconds_count{route="/v1/verifications",method="POST"} 2"#
            #expect(answer.body.contains(count))
            #expect(!answer.body.contains("1012345678"))
        }
    }

    @Test func aListenerOfItsOwnHasTheMetricsAndNothingElse() async throws {
        let (clock, log) = (ManualClock(), LogRecorder())
        let router = page.makeRouter()
        try await RunningServer.run(router, clock: clock, logger: log.logger, contract: nil) { server in
            let shown = try await server.send("GET", "/metrics", headers: ["Host": "phone.example.com"])
            let posted = try await server.send("POST", "/metrics")
            let other = try await server.send("GET", "/health/live")
            #expect([shown.status, posted.status, other.status] == [200, 405, 404])
        }
    }

    @Test func theMachineItselfAndClientsWithTheScope() async throws {
        try await TestServer.run(servesLocalCallers: false) { server in
            let local = try await server.send("GET", "/metrics")
            #expect(local.status == 200)
            #expect(local.body == "up 1\n")
            let open = try await server.send("GET", "/metrics", headers: ["Accept": "application/openmetrics-text"])
            #expect(open.status == 200)
            #expect(open.body == "up 1\n# EOF\n")

            let elsewhere = ["Host": "phoneproof.example"]
            #expect(try await server.send("GET", "/metrics", headers: elsewhere).status == 401)
            for (scope, status) in [(APIScope.admin, 200), (.verifications, 403)] {
                let key = try await server.key("prometheus", [scope])
                let answer = try await server.send("GET", "/metrics", token: key, headers: elsewhere)
                #expect(answer.status == status)
            }
        }
    }

    @Test func withoutMetricsThereIsNoSuchPath() async throws {
        try await TestServer.run(metrics: nil) { server in
            let answer = try await server.send("GET", "/metrics")
            #expect(answer.status == 404)
        }
    }
}
