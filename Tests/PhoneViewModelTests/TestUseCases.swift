import PhoneDomain
import PhoneTestSupport
import Synchronization

/// A use case over the Korean plan whose every answer waits until the test gives it.
final class HeldUseCase: PhoneUseCase {
    /// A call that waits for its answer.
    enum Call: Equatable {
        case requestCode(String)
        case signUp(String, Verification.ID)
    }

    private struct State {
        var calls: [Call] = []
        var codeAnswers: [CheckedContinuation<Result<Verification, PhoneFailure>, Never>] = []
        var signUpAnswers: [CheckedContinuation<Result<SignedUp, PhoneFailure>, Never>] = []
    }

    private let state = Mutex(State())
    private let live = DefaultPhoneUseCase(
        store: MemoryStore(),
        vault: NoVault(),
        digester: PlainNumberDigester(),
        identifiers: CountingIdentifiers(),
        clock: ManualClock()
    )
    private let arrivals = AsyncStream<Void>.makeStream()

    /// All calls so far, answered or not.
    var calls: [Call] { state.withLock(\.calls) }

    /// Waits until a call has arrived that no earlier wait has seen.
    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    /// Answers the oldest call for a code that waits.
    func answer(_ result: Result<Verification, PhoneFailure>) {
        state.withLock { $0.codeAnswers.removeFirst() }.resume(returning: result)
    }

    /// Answers the oldest call to sign up that waits.
    func answerSignUp(_ result: Result<SignedUp, PhoneFailure>) {
        state.withLock { $0.signUpAnswers.removeFirst() }.resume(returning: result)
    }

    func format(_ phoneText: String, region: Region) -> String {
        live.format(phoneText, region: region)
    }

    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try live.phoneNumber(in: phoneText, region: region)
    }

    func isCode(_ codeText: String) -> Bool {
        live.isCode(codeText)
    }

    func requestCode(to number: PhoneNumber, context: RequestContext) async throws(PhoneFailure) -> Verification {
        try await held(.requestCode(number.nationalFormat), \.codeAnswers).get()
    }

    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        try await held(.signUp(codeText, id), \.signUpAnswers).get()
    }

    private func held<Value>(
        _ call: Call,
        _ answers: any WritableKeyPath<State, [CheckedContinuation<Result<Value, PhoneFailure>, Never>]> & Sendable
    ) async -> Result<Value, PhoneFailure> {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.calls.append(call)
                $0[keyPath: answers].append(continuation)
            }
            arrivals.continuation.yield()
        }
    }
}

private struct NoVault: CodeVault {
    private struct NotCalled: Error {}

    func makeCode(length: Int) throws -> VerificationCode { throw NotCalled() }
    func seal(_ code: VerificationCode, for context: CodeContext) throws -> SealedCode { throw NotCalled() }
    func matches(_ code: VerificationCode, _ sealed: SealedCode, for context: CodeContext) throws -> Bool {
        throw NotCalled()
    }
    func open(_ sealed: SealedCode, for context: CodeContext) throws -> VerificationCode { throw NotCalled() }
}

/// A use case whose work ends when it is cancelled, and not before.
final class AbandonedUseCase: PhoneUseCase {
    /// What befell the work, in order.
    let events: AsyncStream<String>
    private let continuation: AsyncStream<String>.Continuation

    init() {
        (events, continuation) = AsyncStream.makeStream()
    }

    /// The next thing that befalls the work.
    func next() async -> String? {
        for await event in events { return event }
        return nil
    }

    func format(_ phoneText: String, region: Region) -> String { phoneText }

    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        do {
            return try PhoneNumber(e164: "+821012345678")
        } catch {
            throw .invalidPhoneNumber(error)
        }
    }

    func isCode(_ codeText: String) -> Bool { false }

    func requestCode(to number: PhoneNumber, context: RequestContext) async throws(PhoneFailure) -> Verification {
        continuation.yield("begun")
        let (never, held) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        held.finish()
        continuation.yield("cancelled")
        throw .verificationNotFound
    }

    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp {
        throw .verificationNotFound
    }
}

/// What signing up with a verification comes to, when it makes the account.
func sampleSignedUp(_ verification: Verification) throws -> SignedUp {
    SignedUp(
        account: Account(
            id: Account.ID(bits: 0, 7),
            phoneNumber: verification.phoneNumber,
            createdAt: Timestamp(seconds: 1),
            createdBy: verification.id
        ),
        verification: try sampleVerification(status: .approved)
    )
}
