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
        _ work: () async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        try await tracer.span("phoneproof.\(operation.rawValue)") { span throws(PhoneFailure) in
            do throws(PhoneFailure) {
                return try await work()
            } catch {
                record(error, of: operation)
                span?.attributes["phoneproof.failure"] = error.code
                throw error
            }
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
