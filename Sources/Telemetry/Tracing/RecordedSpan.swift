import Synchronization
public import Tracing

/// A span on its way, or one that nobody wants recorded: that takes note of nothing.
public final class RecordedSpan: Span {
    /// So many events at most: a loop that fails again and again must not make a span grow without end.
    private static let eventLimit = 32

    public let context: InstrumentationContext
    /// nil when it has ended, or never was recorded.
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

    public func setStatus(_ status: SpanStatus) {
        state.withLock { $0?.status = status }
    }

    public func addEvent(_ event: SpanEvent) {
        append(FinishedSpan.Event(name: event.name, attributes: event.attributes, at: event.nanosecondsSinceEpoch))
    }

    /// Notes the error's type (https://opentelemetry.io/docs/specs/semconv/exceptions/). Not its words, which may quote a
    /// number or a code.
    public func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        var attributes = attributes
        attributes["exception.type"] = String(reflecting: type(of: error))
        append(FinishedSpan.Event(name: "exception", attributes: attributes, at: instant().nanosecondsSinceEpoch))
    }

    /// Nothing: no span of ours has links.
    public func addLink(_ link: SpanLink) {}

    public func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = state.withLock { state in
            defer { state = nil }
            return state
        }
        guard var ended else { return }
        // A clock that was set back meanwhile must not make it end before it began.
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
