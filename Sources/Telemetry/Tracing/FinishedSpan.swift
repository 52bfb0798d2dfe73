public import PhoneDomain
public import Tracing

/// What a span was, once it has ended.
public struct FinishedSpan: Sendable {
    /// What went wrong or happened meanwhile.
    public struct Event: Sendable {
        public let name: String
        public let attributes: SpanAttributes
        /// Nanoseconds since 1970-01-01T00:00:00Z.
        public let at: UInt64
    }

    /// Its own place in the trace.
    public let place: TraceParent
    /// The span that it is part of, or nil if the trace begins with it.
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
