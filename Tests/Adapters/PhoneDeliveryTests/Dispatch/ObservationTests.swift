import PhoneDomain
import PhoneTestSupport
import Synchronization
import Telemetry
import Testing
import Tracing

@testable import PhoneDelivery

@Suite("What is measured and traced of messages", .hangLimit)
struct ObservationTests {
    private final class Spans: Sendable {
        private let kept = Mutex<[FinishedSpan]>([])
        var all: [FinishedSpan] { kept.withLock { $0 } }
        func append(_ span: FinishedSpan) { kept.withLock { $0.append(span) } }
    }

    private static let caller = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

    private let registry = PrometheusRegistry(MetricFamily.all)
    private let spans = Spans()

    /// The samples that are not 0.
    private func samples(_ names: String...) -> [String] {
        registry.text().split(separator: "\n").map(String.init).filter { line in
            !line.hasSuffix(" 0") && names.contains { line.hasPrefix("phoneproof_\($0)") }
        }
    }

    @Test("what gateways answer and what becomes of messages is counted, by the gateways' names")
    func counts() async throws {
        let world = try World()
        let script: [ScriptedGateway.Answer] = [
            .fail(.failover("no money")), .fail(.refused("bad number")), .take("1"), .fail(.ambiguous("no answer")),
        ]
        let gateways = [ScriptedGateway("a", script: script), ScriptedGateway("b")]
        for last in 0..<4 {
            try await world.queue("010-1234-567\(last)")
            world.advance(by: .seconds(1))
            try await world.dispatcher(gateways, metrics: registry).drain()
        }
        #expect(
            samples("messages_total", "gateway_requests", "message_delay_seconds_sum", "message_delay_seconds_count")
                == [
                    #"phoneproof_messages_total{gateway="a",outcome="sent"} 1"#,
                    #"phoneproof_messages_total{gateway="a",outcome="unknown"} 1"#,
                    #"phoneproof_messages_total{gateway="b",outcome="sent"} 1"#,
                    #"phoneproof_messages_total{gateway="none",outcome="failed"} 1"#,
                    "phoneproof_message_delay_seconds_sum 2", "phoneproof_message_delay_seconds_count 2",
                    #"phoneproof_gateway_requests_total{gateway="a",outcome="accepted"} 1"#,
                    #"phoneproof_gateway_requests_total{gateway="a",outcome="ambiguous"} 1"#,
                    #"phoneproof_gateway_requests_total{gateway="a",outcome="failover"} 1"#,
                    #"phoneproof_gateway_requests_total{gateway="a",outcome="refused"} 1"#,
                    #"phoneproof_gateway_requests_total{gateway="b",outcome="accepted"} 1"#,
                ]
        )
    }

    @Test("the metrics show an open circuit breaker, and that it closed")
    func circuit() async throws {
        let world = try World()
        let gateway = ScriptedGateway("a", script: [.fail(.retry("down")), .take("1")])
        let configuration = DispatcherConfiguration(breakerFailures: 1)
        let dispatcher = world.dispatcher([gateway], configuration: configuration, metrics: registry)
        try await world.queue()
        #expect(registry.text().contains("phoneproof_gateway_circuit_open{gateway=\"a\"} 0\n"))
        try await dispatcher.drain()
        #expect(samples("gateway_circuit") == [#"phoneproof_gateway_circuit_open{gateway="a"} 1"#])
        world.advance(by: .seconds(60))
        try await dispatcher.drain()
        #expect(await world.outbox == ["sent by a as 1, attempt 2"])
        #expect(samples("gateway_circuit") == [])
    }

    @Test("each request to a gateway is a span of the message's trace, and has its traceparent")
    func traces() async throws {
        let world = try World()
        try await TraceParent.$current.withValue(Self.caller) { _ = try await world.queue() }
        let a = ScriptedGateway("a", script: [.fail(.retry("too busy", code: 429))])
        let b = ScriptedGateway("b")
        let tracer = SpanTracer(ratio: 1, finish: spans.append)
        try await world.dispatcher([a, b], tracer: tracer).drain()
        #expect(spans.all.map(\.name) == ["phoneproof.send", "phoneproof.send"])
        #expect(spans.all.map(\.kind) == [.client, .client])
        #expect(spans.all.map(\.parentID) == [Self.caller?.spanID, Self.caller?.spanID])
        #expect(a.traceParents + b.traceParents == spans.all.map(\.place))
        #expect(
            spans.all.map(\.attributes) == [
                [
                    "gateway.name": "a", "failure.kind": "retry", "failure.reason": "too busy", "failure.code": 429,
                ],
                ["gateway.name": "b"],
            ]
        )
        #expect(spans.all.map(\.status) == [SpanStatus(code: .error), nil])
    }

    @Test("without a tracer the gateway gets the trace as it is, and a message without one none")
    func passesOn() async throws {
        let world = try World()
        try await TraceParent.$current.withValue(Self.caller) { _ = try await world.queue() }
        world.advance(by: .seconds(1))
        try await world.queue("010-8765-4321")
        let gateway = ScriptedGateway("a")
        let configuration = DispatcherConfiguration(maxConcurrentSends: 1)
        // Not that of the task that drains the outbox.
        let other = TraceParent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
        try await TraceParent.$current.withValue(other) {
            try await world.dispatcher([gateway], configuration: configuration).drain()
        }
        #expect(gateway.traceParents == [Self.caller, nil])
    }

    @Test("each event that is posted is counted, and is a span of the trace that it came to be in")
    func webhooks() async throws {
        let world = WebhookWorld()
        let busy = WebhookResult.answered(status: 503, retryAfter: nil)
        let receiver = ScriptedReceiver(script: [.give(busy), .give(.answered(status: 410, retryAfter: nil))])
        let tracer = SpanTracer(ratio: 1, finish: spans.append)
        try await world.running(world.dispatcher(receiver, metrics: registry, tracer: tracer)) {
            let lines = [
                "info: An event will be retried", "warning: An event failed", "info: An event was delivered",
            ]
            for (index, line) in lines.enumerated() {
                try await world.announce(UInt64(index + 1))
                try await receiver.posts(index + 1)
                try await world.log.logged(line)
            }
        }
        #expect(
            samples("webhook_requests_total", "webhook_request_duration_seconds_count") == [
                #"phoneproof_webhook_requests_total{event="account.created",outcome="accepted"} 1"#,
                #"phoneproof_webhook_requests_total{event="account.created",outcome="failed"} 1"#,
                #"phoneproof_webhook_requests_total{event="account.created",outcome="refused"} 1"#,
                "phoneproof_webhook_request_duration_seconds_count 3",
            ]
        )
        #expect(spans.all.map(\.name) == Array(repeating: "phoneproof.webhook", count: 3))
        #expect(spans.all.map(\.status) == [SpanStatus(code: .error), SpanStatus(code: .error), nil])
        #expect(spans.all.last?.attributes == ["event.kind": "account.created", "http.response.status_code": 204])
        #expect(receiver.posted.map { $0.headers["traceparent"] } == spans.all.map(\.place.description))
    }
}
