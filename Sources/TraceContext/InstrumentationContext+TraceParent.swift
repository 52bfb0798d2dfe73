public import Instrumentation
public import PhoneDomain

extension InstrumentationContext {
    private enum Key: InstrumentationContextKey {
        typealias Value = TraceParent
        static let nameOverride: String? = "traceparent"
    }

    /// The place in a trace that this context is of, or nil if it is of none.
    public var traceParent: TraceParent? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }

    /// A context of this place in a trace and of nothing else.
    public init(_ traceParent: TraceParent?) {
        self = .topLevel
        self.traceParent = traceParent
    }
}
