import PhoneDomain
public import Tracing

extension Optional where Wrapped == any Tracer {
    /// Does work in a span of its own that belongs to the current trace (``TraceParent/current``), and what the work does
    /// belongs to that span. Without a tracer the work belongs to the trace as it is.
    ///
    /// An error is told by its type alone: its words may bear anything.
    ///
    /// - Parameters:
    ///   - name: what is done, in a few words that are always the same.
    ///   - kind: whose side it is of.
    ///   - work: gets the span, to tell more, and no number, code, token or key; nil without a tracer.
    public func span<Value, Failure: Error>(
        _ name: String,
        ofKind kind: SpanKind = .internal,
        isolation: isolated (any Actor)? = #isolation,
        _ work: ((any Span)?) async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let tracer = self else { return try await work(nil) }
        let span: any Span = tracer.startSpan(name, context: InstrumentationContext(.current), ofKind: kind)
        defer { span.end() }
        // As a result, since the task's value hands on errors of any type only.
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
