public import CoreMetrics
public import PhoneDomain
import TraceContext
public import Tracing

/// Counts failures of a use case, and traces its operations.
public struct ObservedUseCase: VerificationUseCase {
    private let useCase: any VerificationUseCase
    private let tracer: (any Tracer)?
    private let metrics: any MetricsFactory

    public init(_ useCase: any VerificationUseCase, metrics: any MetricsFactory, tracer: (any Tracer)?) {
        self.useCase = useCase
        self.metrics = metrics
        self.tracer = tracer
    }

    public func format(_ phoneText: String, region: Region) -> String {
        useCase.format(phoneText, region: region)
    }

    public func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try useCase.phoneNumber(in: phoneText, region: region)
    }

    public func isCode(_ codeText: String) -> Bool { useCase.isCode(codeText) }

    public func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        do throws(PhoneFailure) {
            return try useCase.recipient(in: phoneText, region: region)
        } catch {
            count(error, of: "request_code")
            throw error
        }
    }

    public func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification {
        try await observing("approve") { () throws(PhoneFailure) in
            try await useCase.approve(id, context: context)
        }
    }

    public func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        try await observing("sign_up") { () throws(PhoneFailure) in
            try await useCase.signUp(codeText, for: id, context: context)
        }
    }

    public func channels(to number: PhoneNumber) -> [Channel] { useCase.channels(to: number) }

    public func instruction(for verification: Verification) throws(PhoneFailure) -> InboundInstruction? {
        try useCase.instruction(for: verification)
    }

    public func receive(_ message: InboundMessage) async throws(PhoneFailure) -> Verification {
        try await observing("receive") { () throws(PhoneFailure) in try await useCase.receive(message) }
    }

    public func challenge(
        for number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> ChallengeOffer? {
        try await observing("challenge") { () throws(PhoneFailure) in
            try await useCase.challenge(for: number, context: context)
        }
    }

    public func begin(
        _ number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        try await observing("request_code") { () throws(PhoneFailure) in
            try await useCase.begin(number, context: context)
        }
    }

    public func check(
        _ codeText: String,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        try await observing("check") { () throws(PhoneFailure) in
            try await useCase.check(codeText, for: which, context: context)
        }
    }

    public func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        try await observing("check") { () throws(PhoneFailure) in
            try await useCase.check(codeText, for: id, context: context, in: work)
        }
    }

    public func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await observing("cancel") { () throws(PhoneFailure) in try await useCase.cancel(id, owner: owner) }
    }

    public func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await observing("look_up") { () throws(PhoneFailure) in
            try await useCase.verification(id, owner: owner)
        }
    }

    public func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp? {
        try await observing("look_up") { () throws(PhoneFailure) in try await useCase.signedUp(with: verification) }
    }

    private func observing<Value>(
        _ operation: String,
        _ work: () async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        try await tracer.span("phoneproof.\(operation)") { span throws(PhoneFailure) in
            do throws(PhoneFailure) {
                return try await work()
            } catch {
                count(error, of: operation)
                span?.attributes["phoneproof.failure"] = error.code
                throw error
            }
        }
    }

    private func count(_ failure: PhoneFailure, of operation: String) {
        func count(_ label: String, _ dimensions: [(String, String)]) {
            Counter(label: label, dimensions: dimensions, factory: metrics).increment()
        }
        count("phoneproof_refusals_total", [("operation", operation), ("code", failure.code)])
        guard case .rateLimited(let policies, _) = failure else { return }
        for policy in policies { count("phoneproof_limits_hit_total", [("policy", policy.name)]) }
    }
}
