import PhoneDomain
import TraceContext
public import Tracing

/// A tracer for W3C Trace Context and OpenTelemetry collectors.
///
/// What a trace's beginning decided holds for all of it: a span is recorded if its parent says so, and of those without a
/// parent a share is. `tracestate` is not kept (the standard lets anyone drop it): others write into it what they like, and
/// a message may be sent days later.
public struct SpanTracer: Tracer {
    private let ratio: Double
    private let random: @Sendable () -> UInt64
    private let finish: @Sendable (FinishedSpan) -> Void

    /// - Parameters:
    ///   - ratio: the share of traces that begin here which is recorded, 0 to 1.
    ///   - random: 64 random bits.
    ///   - finish: takes spans that have ended.
    public init(
        ratio: Double,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        finish: @escaping @Sendable (FinishedSpan) -> Void
    ) {
        self.ratio = ratio
        self.random = random
        self.finish = finish
    }

    public func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> RecordedSpan {
        let context = context()
        let parent = context.traceParent
        guard let place = place(below: parent) else { return RecordedSpan(context: context) }
        var own = context
        own.traceParent = place
        guard place.isSampled else { return RecordedSpan(context: own) }
        return RecordedSpan(
            context: own,
            start: FinishedSpan(
                place: place,
                parentID: parent?.spanID,
                name: operationName,
                kind: kind,
                startedAt: instant().nanosecondsSinceEpoch
            ),
            finish: finish
        )
    }

    /// Where a new span is, or nil where nothing is recorded and what is passed on stays as it is.
    private func place(below parent: TraceParent?) -> TraceParent? {
        if let parent {
            guard parent.isSampled else { return nil }
            return TraceParent(
                traceIDHigh: parent.traceIDHigh,
                traceIDLow: parent.traceIDLow,
                spanID: nonZero(),
                isSampled: true
            )
        }
        let low = nonZero()
        // By the name's last 56 bits, of which the greatest are kept, as OpenTelemetry has it
        // (https://opentelemetry.io/docs/specs/otel/trace/tracestate-probability-sampling/): all who sample alike decide
        // alike.
        let isSampled = Double(low & 0x00FF_FFFF_FFFF_FFFF) >= (1 - ratio) * 0x1p56
        return TraceParent(traceIDHigh: random(), traceIDLow: low, spanID: nonZero(), isSampled: isSampled)
    }

    private func nonZero() -> UInt64 {
        let bits = random()
        return bits == 0 ? 1 : bits
    }

    /// Nothing waits here; the exporter has what has ended.
    public func forceFlush() {}

    // MARK: - Instrument

    public func extract<Carrier, Extract: Extractor>(
        _ carrier: Carrier,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Carrier {
        context.traceParent = extractor.extract(key: "traceparent", from: carrier).flatMap { TraceParent($0) }
    }

    public func inject<Carrier, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Carrier,
        using injector: Inject
    ) where Inject.Carrier == Carrier {
        guard let place = context.traceParent else { return }
        injector.inject(place.description, forKey: "traceparent", into: &carrier)
    }
}
