public import PhoneDomain
import Synchronization

/// Forwards everything, and records the address of each call with a context.
public final class RecordingUseCase: VerificationUseCase {
    private let useCase: DefaultPhoneUseCase
    private let noted = Mutex<[String]>([])
    private let seen = Mutex<[RequestContext]>([])

    public init(_ useCase: DefaultPhoneUseCase) {
        self.useCase = useCase
    }

    /// The calls so far with their address, such as `check 203.0.113.7`.
    public var calls: [String] { noted.withLock { $0 } }

    /// The contexts of the calls so far.
    public var contexts: [RequestContext] { seen.withLock { $0 } }

    private func note(_ call: String, _ context: RequestContext) {
        seen.withLock { $0.append(context) }
        noted.withLock { $0.append("\(call) \(context.address?.description ?? "-")") }
    }

    public func format(_ phoneText: String, region: Region) -> String {
        useCase.format(phoneText, region: region)
    }

    public func isCode(_ codeText: String) -> Bool {
        useCase.isCode(codeText)
    }

    public func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try useCase.phoneNumber(in: phoneText, region: region)
    }

    public func challenge(
        for number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> ChallengeOffer? {
        note("challenge", context)
        return try await useCase.challenge(for: number, context: context)
    }

    public func channels(to number: PhoneNumber) -> [Channel] { useCase.channels(to: number) }

    public func instruction(for verification: Verification) throws(PhoneFailure) -> InboundInstruction? {
        try useCase.instruction(for: verification)
    }

    public func receive(_ message: InboundMessage) async throws(PhoneFailure) -> Verification {
        try await useCase.receive(message)
    }

    public func begin(
        _ number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer {
        note("begin", context)
        return try await useCase.begin(number, context: context)
    }

    public func check(
        _ codeText: String,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        note("check", context)
        return try await useCase.check(codeText, for: which, context: context)
    }

    public func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value {
        note("check", context)
        return try await useCase.check(codeText, for: id, context: context, in: work)
    }

    public func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification {
        note("approve", context)
        return try await useCase.approve(id, context: context)
    }

    public func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        note("signUp", context)
        return try await useCase.signUp(codeText, for: id, context: context)
    }

    public func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await useCase.cancel(id, owner: owner)
    }

    public func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification {
        try await useCase.verification(id, owner: owner)
    }

    public func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp? {
        try await useCase.signedUp(with: verification)
    }
}
