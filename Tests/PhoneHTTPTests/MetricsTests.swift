import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Telemetry
import Testing

/// What is counted of requests, and who may read it.
@Suite struct MetricsTests {
    private let registry = PrometheusRegistry(MetricFamily.all)

    private var page: MetricsPage {
        MetricsPage { [registry] accept in
            let format = ExpositionFormat(accept: accept)
            return MetricsPage.Content(type: format.contentType, text: registry.text(format))
        }
    }

    private func samples(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init).filter { $0.hasPrefix("phoneproof_http") && !$0.contains("_seconds_") }
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
            // One that NIO's parser knows and nobody serves.
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
                    // This one.
                    "phoneproof_http_requests_in_flight 1",
                ]
            )
            let count = #"phoneproof_http_request_duration_seconds_count{route="/v1/verifications",method="POST"} 2"#
            #expect(answer.body.contains(count))
            #expect(!answer.body.contains("1012345678"))
        }
    }

    @Test func metricsAreForThisMachineAndForKeysOfOperators() async throws {
        try await TestServer.run(servesLocalCallers: false, metrics: page) { server in
            #expect(try await server.send("GET", "/metrics").status == 200)
            #expect(try await server.send("HEAD", "/metrics").status == 200)
            for headers in [
                ["Host": "phone.example.com"], ["X-Forwarded-For": "203.0.113.7"],
                ["Sec-Fetch-Site": "cross-site"],
            ] {
                let answer = try await server.send("GET", "/metrics", headers: headers)
                #expect(answer.status == 401)
                #expect(answer.text("code") == "unauthorized")
            }
            let (_, admin) = try await server.keys.create(name: #require(CallerName("prometheus")), scopes: [.admin])
            let (_, shop) = try await server.keys.create(name: #require(CallerName("shop")), scopes: [.verifications])
            let elsewhere = ["Host": "phone.example.com", "X-Forwarded-For": "203.0.113.7"]
            for (token, status) in [(admin.text, 200), (shop.text, 403), ("pk_1", 401)] {
                #expect(try await server.send("GET", "/metrics", token: token, headers: elsewhere).status == status)
                #expect(try await server.send("GET", "/metrics", token: token).status == status)
            }
        }
    }

    @Test func withoutMetricsThereIsNothing() async throws {
        try await TestServer.run { server in
            #expect(try await server.send("GET", "/metrics").status == 404)
        }
    }

    @Test func aListenerOfItsOwnHasTheMetricsAndNothingElse() async throws {
        let log = LogRecorder()
        try await RunningServer.run(page.makeRouter(), clock: ManualClock(), logger: log.logger) { server in
            #expect(try await server.send("GET", "/metrics", headers: ["Host": "phone.example.com"]).status == 200)
            #expect(try await server.send("POST", "/metrics").status == 405)
            #expect(try await server.send("GET", "/health/live").status == 404)
        }
    }
}
