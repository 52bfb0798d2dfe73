public import CoreMetrics
public import PhoneDomain
public import Tracing

/// Counts failures of a use case, and traces its operations.
public struct UseCaseMeasures: UseCaseObserver {
    private let metrics: any MetricsFactory
    private let tracer: (any Tracer)?

    public init(metrics: any MetricsFactory, tracer: (any Tracer)?) {
        (self.metrics, self.tracer) = (metrics, tracer)
    }

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        _ work: () async throws -> Value
    ) async throws(PhoneFailure) -> Value {
        let span: (any Span)? = tracer?.startSpan(
            "phoneproof.\(operation.rawValue)",
            context: InstrumentationContext(.current)
        )
        defer { span?.end() }
        do {
            guard let span else { return try await work() }
            return try await TraceParent.$current.withValue(span.context.traceParent) { try await work() }
        } catch {
            let failure = PhoneFailure(of: error)
            record(failure, of: operation)
            span?.attributes["phoneproof.failure"] = failure.code
            span?.setStatus(SpanStatus(code: .error))
            span?.recordError(failure)
            throw failure
        }
    }

    public func record(_ failure: PhoneFailure, of operation: VerificationUseCase.Operation) {
        func count(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: metrics).increment()
        }
        count("phoneproof_refusals_total", [("operation", operation.rawValue), ("code", failure.code)])
        guard case .rateLimited(let policies, _) = failure else { return }
        for policy in policies { count("phoneproof_limits_hit_total", [("policy", policy.name)]) }
    }
}
