public import Instrumentation
public import PhoneDomain
public import Tracing

extension InstrumentationContext {
    private enum Key: InstrumentationContextKey {
        typealias Value = TraceParent
        static let nameOverride: String? = "traceparent"
    }

    /// nil outside of a trace.
    public var traceParent: TraceParent? {
        get { self[Key.self] }
        set { self[Key.self] = newValue }
    }

    /// A context with nothing else in it.
    public init(_ traceParent: TraceParent?) {
        self = .topLevel
        self.traceParent = traceParent
    }
}

extension Optional where Wrapped == any Tracer {
    /// Runs `work` in a new span of the current trace (``TraceParent/current``), which is the current one for `work`.
    /// Without a tracer the current trace stays as it is.
    ///
    /// Records the type of an error only: its description may contain anything.
    ///
    /// - Parameters:
    ///   - name: a few words without variable parts.
    ///   - kind: the role of the span.
    ///   - work: gets the span, to add attributes, but no number, code, token or key; nil without a tracer.
    public func span<Value, Failure: Error>(
        _ name: String,
        ofKind kind: SpanKind = .internal,
        isolation: isolated (any Actor)? = #isolation,
        _ work: ((any Span)?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let tracer = self else { return try await work(nil) }
        let span: any Span = tracer.startSpan(name, context: InstrumentationContext(.current), ofKind: kind)
        defer { span.end() }
        // As a result, since `withValue` does not rethrow typed errors.
        let result: Result<Value, Failure> = await TraceParent.$current.withValue(span.context.traceParent) {
            do throws(Failure) {
                return .success(try await work(span))
            } catch {
                span.setStatus(SpanStatus(code: .error))
                span.recordError(error)
                return .failure(error)
            }
        }
        return try result.get()
    }
}
