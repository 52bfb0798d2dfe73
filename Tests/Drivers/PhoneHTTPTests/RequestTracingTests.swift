import PhoneDomain
import PhoneHTTP
import PhoneTestSupport
import Synchronization
import Telemetry
import Testing
import Tracing

@Suite struct RequestTracingTests {
    private static let caller = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
    private static let number = #"{"phone_number":"010-1234-5678"}"#

    private let spans = Spans()

    private var instruments: Instruments {
        Instruments(metrics: PrometheusRegistry([]), tracer: SpanTracer(ratio: 1, finish: spans.append))
    }

    @Test func aRequestBelongsToTheCallersTraceAndItsMessageToTheRequest() async throws {
        try await TestServer.run(instruments: instruments) { [spans] server in
            let fields = ["traceparent": Self.caller]
            _ = try await server.send("POST", "/v1/verifications", Self.number, headers: fields)
            let span = try #require(spans.all.first)
            #expect(span.name == "POST /v1/verifications")
            #expect(span.kind == .server)
            #expect(span.place.traceID == "4bf92f3577b34da6a3ce929d0e0e4736")
            #expect(span.parentID == 0x00f0_67aa_0ba9_02b7)
            #expect(span.status == nil)
            #expect(
                span.attributes == [
                    "http.request.method": "POST", "http.route": "/v1/verifications", "http.response.status_code": 201,
                    "url.scheme": "http",
                ]
            )
            #expect(await server.store.outbox.map(\.traceParent) == [span.place])
        }
    }

    @Test(arguments: ["", "00-0-0-01", "\(caller), \(caller)"])
    func aTraceThatCannotBeReadIsNoTrace(field: String) async throws {
        try await TestServer.run(instruments: instruments) { [spans] server in
            _ = try await server.send("GET", "/01012345678?code=314159", headers: ["traceparent": field])
            let span = try #require(spans.all.first)
            #expect(span.name == "GET")
            #expect(span.parentID == nil)
            #expect(
                span.attributes == [
                    "http.request.method": "GET", "http.response.status_code": 404, "url.scheme": "http",
                ]
            )
        }
    }

    @Test func afaultOfOursShows() async throws {
        try await TestServer.run(instruments: instruments, isReady: { throw Outage() }) { [spans] server in
            _ = try await server.send("GET", "/health/ready")
            #expect(spans.all.map(\.status) == [SpanStatus(code: .error)])
        }
    }

    @Test func withoutATracerTheTraceGoesOnAsItCame() async throws {
        try await TestServer.run { server in
            _ = try await server.send("POST", "/v1/verifications", Self.number, headers: ["traceparent": Self.caller])
            _ = try await server.send("POST", "/v1/verifications", #"{"phone_number":"010-8765-4321"}"#)
            #expect(Set(await server.store.outbox.map { $0.traceParent?.description }) == [Self.caller, nil])
        }
    }
}

final class Spans: Sendable {
    private let kept = Mutex<[FinishedSpan]>([])
    var all: [FinishedSpan] { kept.withLock { $0 } }
    func append(_ span: FinishedSpan) { kept.withLock { $0.append(span) } }
}
