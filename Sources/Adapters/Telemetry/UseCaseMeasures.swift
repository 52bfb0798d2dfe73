public import CoreMetrics
public import PhoneDomain
public import Tracing

/// Counts failures of a use case, and traces its operations.
public struct UseCaseMeasures: UseCaseObserver {
    private let metrics: any MetricsFactory
    private let tracer: (any Tracer)?
    private let refusals = KeptMetrics<Refusal, Counter>()

    private struct Refusal: Hashable {
        let operation: VerificationUseCase.Operation
        let code: String
    }

    public init(metrics: any MetricsFactory, tracer: (any Tracer)?) {
        (self.metrics, self.tracer) = (metrics, tracer)
    }

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        _ work: () async throws -> Value
    ) async throws(PhoneFailure) -> Value {
        let span = startSpan(of: operation)
        defer { span?.end() }
        do {
            guard let span else { return try await work() }
            return try await TraceParent.$current.withValue(span.context.traceParent) { try await work() }
        } catch {
            throw failure(of: error, operation, span)
        }
    }

    public func observe<Value>(
        _ operation: VerificationUseCase.Operation,
        then answer: @escaping Callback<Value>,
        _ work: (@escaping Callback<Value>) throws -> Void
    ) {
        let span = startSpan(of: operation)
        let end: Callback<Value> = { result in
            let result = result.mapError { failure(of: $0, operation, span) as any Error }
            span?.end()
            answer(result)
        }
        do {
            guard let span else { return try work(end) }
            try TraceParent.$current.withValue(span.context.traceParent) { try work(end) }
        } catch {
            end(.failure(error))
        }
    }

    private func startSpan(of operation: VerificationUseCase.Operation) -> (any Span)? {
        tracer?.startSpan("phoneproof.\(operation.rawValue)", context: InstrumentationContext(.current))
    }

    private func failure(
        of error: any Error,
        _ operation: VerificationUseCase.Operation,
        _ span: (any Span)?
    ) -> PhoneFailure {
        let failure = PhoneFailure(of: error)
        record(failure, of: operation)
        span?.attributes["phoneproof.failure"] = failure.code
        span?.setStatus(SpanStatus(code: .error))
        span?.recordError(failure)
        return failure
    }

    public func record(_ failure: PhoneFailure, of operation: VerificationUseCase.Operation) {
        func counter(_ label: String, _ dimensions: [(String, String)]) -> Counter {
            Counter(label: label, dimensions: dimensions, factory: metrics)
        }
        refusals.value(for: Refusal(operation: operation, code: failure.code)) { refusal in
            counter("phoneproof_refusals_total", [("operation", operation.rawValue), ("code", refusal.code)])
        }
        .increment()
        guard case .rateLimited(let policies, _) = failure else { return }
        for policy in policies { counter("phoneproof_limits_hit_total", [("policy", policy.name)]).increment() }
    }
}
