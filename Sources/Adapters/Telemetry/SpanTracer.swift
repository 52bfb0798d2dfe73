public import PhoneDomain
import Synchronization
public import Tracing

/// A tracer for W3C Trace Context and OpenTelemetry collectors.
///
/// A span is sampled if its parent is; spans without a parent are sampled at a ratio. `tracestate` is dropped, which
/// the standard allows: its contents are anybody's, and a message may be sent days later.
public struct SpanTracer: Tracer {
    private let ratio: Double
    private let random: @Sendable () -> UInt64
    private let finish: @Sendable (FinishedSpan) -> Void

    /// - Parameters:
    ///   - ratio: the share of the traces that begin here which is recorded, 0 to 1.
    ///   - finish: called with each recorded span when it has ended.
    public init(
        ratio: Double,
        random: @escaping @Sendable () -> UInt64 = { .random(in: .min ... .max) },
        finish: @escaping @Sendable (FinishedSpan) -> Void
    ) {
        (self.ratio, self.random, self.finish) = (ratio, random, finish)
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

    /// The IDs of a new span, or nil if its parent is not sampled: the parent's are passed on then.
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
        // By the last 56 bits of the ID, as OpenTelemetry demands, so that services with the same ratio decide alike
        // (https://opentelemetry.io/docs/specs/otel/trace/tracestate-probability-sampling/).
        let isSampled = Double(low & 0x00FF_FFFF_FFFF_FFFF) >= (1 - ratio) * 0x1p56
        return TraceParent(traceIDHigh: random(), traceIDLow: low, spanID: nonZero(), isSampled: isSampled)
    }

    private func nonZero() -> UInt64 {
        let bits = random()
        return bits == 0 ? 1 : bits
    }

    /// Does nothing: spans wait in the exporter.
    public func forceFlush() {}

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

/// A span that has not ended, or one that is not recorded.
public final class RecordedSpan: Span {
    /// A loop that fails again and again must not make a span grow without end.
    private static let eventLimit = 32

    public let context: InstrumentationContext
    /// nil if it has ended or is not recorded.
    private let state: Mutex<FinishedSpan?>
    private let finish: @Sendable (FinishedSpan) -> Void

    init(
        context: InstrumentationContext,
        start: FinishedSpan? = nil,
        finish: @escaping @Sendable (FinishedSpan) -> Void = { _ in }
    ) {
        self.context = context
        state = Mutex(start)
        self.finish = finish
    }

    public var isRecording: Bool { state.withLock { $0 != nil } }

    public var operationName: String {
        get { state.withLock { $0?.name ?? "" } }
        set { state.withLock { $0?.name = newValue } }
    }

    public var attributes: SpanAttributes {
        get { state.withLock { $0?.attributes ?? [:] } }
        set { state.withLock { $0?.attributes = newValue } }
    }

    public func setStatus(_ status: SpanStatus) { state.withLock { $0?.status = status } }

    public func addEvent(_ event: SpanEvent) {
        append(FinishedSpan.Event(name: event.name, attributes: event.attributes, at: event.nanosecondsSinceEpoch))
    }

    /// Records the error's type (https://opentelemetry.io/docs/specs/semconv/exceptions/), but not its description,
    /// which may contain a number or a code.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = String(reflecting: type(of: error))
        append(FinishedSpan.Event(name: "exception", attributes: attributes, at: instant().nanosecondsSinceEpoch))
    }

    /// Does nothing: our spans have no links.
    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard var ended else { return }
        // The clock may have been set back meanwhile.
        ended.endedAt = max(ended.startedAt, instant().nanosecondsSinceEpoch)
        finish(ended)
    }

    private func append(_ event: FinishedSpan.Event) {
        state.withLock { state in
            guard let count = state?.events.count, count < Self.eventLimit else { return }
            state?.events.append(event)
        }
    }
}

/// A span that has ended.
public struct FinishedSpan: Sendable {
    public struct Event: Sendable {
        public let name: String
        public let attributes: SpanAttributes
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        public let at: UInt64
    }

    public let place: TraceParent
    /// nil if the trace begins with it.
    public let parentID: UInt64?
    public internal(set) var name: String
    public let kind: SpanKind
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    public let startedAt: UInt64
    public internal(set) var endedAt: UInt64 = 0
    public internal(set) var attributes: SpanAttributes = [:]
    public internal(set) var events: [Event] = []
    public internal(set) var status: SpanStatus?
}
