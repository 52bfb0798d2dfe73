import CoreEncodings
import CoreMetrics
import Instrumentation
import Logging
import PhoneDomain
import PhoneSignup
import PhoneTestSupport
import Telemetry
import Testing
import Tracing

@Suite struct TracingTests {
    private let finished = Log<FinishedSpan>()
    private let sent = Log<String>()
    private let lines = Log<String>()
    private let clock = ManualClock()
    private let registry = PrometheusRegistry(MetricFamily.all)
    private static let caller = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01")

    /// A tracer whose random numbers count up.
    private func tracer(ratio: Double = 1) -> SpanTracer {
        let numbers = CountingIdentifiers()
        return SpanTracer(ratio: ratio, random: { numbers.makeBits().1 }, finish: finished.append)
    }

    private struct At: TracerInstant {
        let nanosecondsSinceEpoch: UInt64
        static func < (lhs: At, rhs: At) -> Bool { lhs.nanosecondsSinceEpoch < rhs.nanosecondsSinceEpoch }
    }

    private struct Failure: Error {
        let code = "123456"
    }

    @Test func `a span within a trace belongs to it, and what is below it to the span`() async throws {
        let tracer: (any Tracer)? = tracer()
        await TraceParent.$current.withValue(Self.caller) {
            await tracer.span("outer", ofKind: .server) { span in
                #expect(TraceParent.current?.description == "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000001-01")
                span?.attributes["a"] = 1
                await tracer.span("inner") { _ in
                    #expect(TraceParent.current?.spanID == 2)
                }
            }
        }
        #expect(finished.all.map(\.name) == ["inner", "outer"])
        #expect(finished.all.map(\.parentID) == [1, 0x00f0_67aa_0ba9_02b7])
        #expect(finished.all.map(\.place.traceID) == Array(repeating: "4bf92f3577b34da6a3ce929d0e0e4736", count: 2))
    }

    @Test func `what the caller does not want recorded is not, and its trace goes on as it is`() async {
        let caller = TraceParent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00")
        let tracer: (any Tracer)? = tracer()
        await TraceParent.$current.withValue(caller) {
            await tracer.span("outer") { span in
                #expect(span?.isRecording == false)
                #expect(TraceParent.current == caller)
            }
        }
        #expect(finished.all.isEmpty)
    }

    @Test func `of traces that begin here a share is recorded, and what is below follows`() async {
        let tracer = SpanTracer(ratio: 0.25, finish: finished.append)
        for _ in 0..<4000 {
            let root = tracer.startSpan("root", context: .topLevel)
            let child = tracer.startSpan("child", context: root.context)
            #expect(child.isRecording == root.isRecording)
            #expect(child.context.traceParent?.traceID == root.context.traceParent?.traceID)
            child.end()
            root.end()
        }
        // 2000 of 8000, give or take more than ten standard deviations of the roots.
        #expect((1400...2600).contains(finished.all.count))
        // The greatest are kept, so that others who sample as many keep the same.
        for (bits, isRecorded) in [(UInt64(0x00C0_0000_0000_0000), true), (0x00BF_FFFF_FFFF_0000, false)] {
            let span = SpanTracer(ratio: 0.25, random: { bits }, finish: finished.append)
                .startSpan("root", context: .topLevel)
            #expect(span.isRecording == isRecorded)
            span.end()
        }
        let none = SpanTracer(ratio: 0, finish: finished.append).startSpan("root", context: .topLevel)
        #expect(!none.isRecording)
        #expect(none.context.traceParent?.isSampled == false)
    }

    @Test func `an error leaves its type and nothing of its words`() async {
        let tracer: (any Tracer)? = tracer()
        await #expect(throws: Failure.self) {
            try await tracer.span("failing") { _ in throw Failure() }
        }
        let span = finished.all.first
        #expect(span?.status == SpanStatus(code: .error))
        #expect(span?.events.map(\.name) == ["exception"])
        #expect(!"\(finished.all)".contains("123456"))
    }

    @Test func `a span that has ended takes no more notes, and ends once`() {
        let span = tracer().startSpan("once", context: .topLevel, ofKind: .internal, at: At(nanosecondsSinceEpoch: 50))
        for _ in 0..<100 { span.addEvent("again") }
        span.end(at: At(nanosecondsSinceEpoch: 40))
        span.end(at: At(nanosecondsSinceEpoch: 90))
        span.operationName = "twice"
        #expect(finished.all.map(\.name) == ["once"])
        #expect(finished.all.map(\.endedAt) == [50])
        #expect(finished.all.map(\.events.count) == [32])
    }

    @Test func `the place of a trace is read from and written to a carrier`() {
        struct Fields: Extractor, Injector {
            func extract(key: String, from carrier: [String: String]) -> String? { carrier[key] }
            func inject(_ value: String, forKey key: String, into carrier: inout [String: String]) {
                carrier[key] = value
            }
        }
        let text = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
        var context = InstrumentationContext.topLevel
        tracer().extract(["traceparent": text, "tracestate": "a=+821012345678"], into: &context, using: Fields())
        #expect(context.traceParent?.description == text)
        var carrier: [String: String] = [:]
        tracer().inject(context, into: &carrier, using: Fields())
        #expect(carrier == ["traceparent": text])
        tracer().extract(["traceparent": "no"], into: &context, using: Fields())
        #expect(context.traceParent == nil)
    }

    private func exporter(
        queueLimit: Int = 2048,
        batchLimit: Int = 512,
        encoding: CollectorEncoding = .json,
        failure: String? = nil
    ) -> SpanExporter {
        SpanExporter(
            resource: [("service.name", "phoneproof"), ("service.version", "1.2.3"), ("service.instance.id", "1")],
            queueLimit: queueLimit,
            batchLimit: batchLimit,
            metrics: registry,
            clock: clock,
            logger: Logger(label: "test") { label in
                LineLogHandler(label: label, format: .text, now: { Timestamp(seconds: 0) }, write: lines.append)
            },
            send: { request in
                sent.append(encoding == .json ? request.text : encoding.bytes(of: request).hexadecimal)
                return failure
            }
        )
    }

    private func spans() -> [String] {
        registry.text().split(separator: "\n").filter { $0.hasPrefix("phoneproof_spans") }.map(String.init)
    }

    @Test func `a collector gets what OTLP's JSON wants`() async throws {
        let exporter = exporter()
        let tracer = SpanTracer(ratio: 1, random: { 7 }, finish: exporter.take)
        let context = InstrumentationContext(Self.caller)
        let span = tracer.startSpan("GET /a", context: context, ofKind: .server, at: At(nanosecondsSinceEpoch: 1_000))
        span.attributes = ["s": "x\"y", "i": 3, "d": 0.5, "b": true]
        span.addEvent(SpanEvent(name: "e", at: At(nanosecondsSinceEpoch: 1_500), attributes: ["k": "v"]))
        span.setStatus(SpanStatus(code: .error))
        span.end(at: At(nanosecondsSinceEpoch: 2_000))
        await exporter.flush()
        await exporter.flush()
        #expect(
            sent.all == [
                #"{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"phoneproof"}},"#
                    + #"{"key":"service.version","value":{"stringValue":"1.2.3"}},"#
                    + #"{"key":"service.instance.id","value":{"stringValue":"1"}}]},"#
                    + #""scopeSpans":[{"scope":{"name":"phoneproof"},"spans":[{"#
                    + #""traceId":"4bf92f3577b34da6a3ce929d0e0e4736","spanId":"0000000000000007","#
                    + #""parentSpanId":"00f067aa0ba902b7","flags":1,"name":"GET /a","kind":2,"#
                    + #""startTimeUnixNano":"1000","endTimeUnixNano":"2000","attributes":["#
                    + #"{"key":"b","value":{"boolValue":true}},{"key":"d","value":{"doubleValue":0.5}},"#
                    + #"{"key":"i","value":{"intValue":"3"}},{"key":"s","value":{"stringValue":"x\"y"}}],"#
                    + #""events":[{"timeUnixNano":"1500","name":"e","attributes":[{"key":"k","value":{"stringValue":"v"}}]}],"#
                    + #""status":{"code":2}}]}]}]}"#
            ]
        )
        #expect(spans() == ["phoneproof_spans_exported_total 1", "phoneproof_spans_dropped_total 0"])
    }

    /// Against OpenTelemetry's own decoder: `Tests/EndToEnd/Service/test_telemetry.py`.
    @Test func `Protocol Buffers have each field behind its number and its length`() async throws {
        let exporter = exporter(encoding: .protobuf)
        let tracer = SpanTracer(ratio: 1, random: { 7 }, finish: exporter.take)
        let context = InstrumentationContext(Self.caller)
        let span = tracer.startSpan("GET", context: context, ofKind: .server, at: At(nanosecondsSinceEpoch: 1_000))
        span.attributes = ["i": -1, "d": 0.5, "b": true]
        span.setStatus(SpanStatus(code: .error))
        span.end(at: At(nanosecondsSinceEpoch: 2_000))
        await exporter.flush()
        func field(_ head: String, _ content: String) -> String {
            head + [UInt8(content.utf8.count / 2)].hexadecimal + content
        }
        func text(_ text: String) -> String { Array(text.utf8).hexadecimal }
        func attribute(_ head: String, _ key: String, _ value: String) -> String {
            field(head, field("0a", text(key)) + field("12", value))
        }
        let resource = [("service.name", "phoneproof"), ("service.version", "1.2.3"), ("service.instance.id", "1")]
        let spanContent =
            field("0a", "4bf92f3577b34da6a3ce929d0e0e4736") + field("12", "0000000000000007")
            + field("22", "00f067aa0ba902b7") + "850101000000" + field("2a", text("GET")) + "3002"
            + "39e803000000000000" + "41d007000000000000" + attribute("4a", "b", "1001")
            + attribute("4a", "d", "21000000000000e03f") + attribute("4a", "i", "18ffffffffffffffffff01")
            + field("7a", "1802")
        // From 128 on a length has two bytes.
        let scopeSpans = field("0a", field("0a", text("phoneproof"))) + field("12", spanContent)
        let resources = field("0a", resource.map { attribute("0a", $0, field("0a", text($1))) }.joined())
        let content = resources + "1284" + "01" + scopeSpans
        #expect(scopeSpans.utf8.count / 2 == 0x84)
        #expect(sent.all == ["0a" + "df01" + content])
    }

    @Test func `what is too much is dropped and counted, and the rest goes in parts`() async {
        let exporter = exporter(queueLimit: 5, batchLimit: 2)
        let tracer = SpanTracer(ratio: 1, finish: exporter.take)
        for _ in 0..<7 { tracer.startSpan("a", context: .topLevel).end() }
        await exporter.flush()
        #expect(sent.all.map { $0.split(separator: "traceId").count - 1 } == [2, 2, 1])
        #expect(spans() == ["phoneproof_spans_exported_total 5", "phoneproof_spans_dropped_total 2"])
    }

    @Test func `a collector that takes nothing is complained of once a minute`() async {
        let exporter = exporter(failure: "status 503")
        let tracer = SpanTracer(ratio: 1, finish: exporter.take)
        for _ in 0..<5 {
            tracer.startSpan("a", context: .topLevel).end()
            await exporter.flush()
            clock.advance(by: .seconds(20))
        }
        let line = "1970-01-01T00:00:00.000Z warning test: failure.reason=status 503 failure.repeated="
        #expect(
            lines.all == [
                line + "0 The collector rejects spans", line + "2 The collector rejects spans",
            ]
        )
        #expect(spans() == ["phoneproof_spans_exported_total 0", "phoneproof_spans_dropped_total 5"])
    }
}
