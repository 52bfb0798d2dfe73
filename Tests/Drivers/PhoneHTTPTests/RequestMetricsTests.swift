import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Telemetry
import Testing

@Suite struct RequestMetricsTests {
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
}
