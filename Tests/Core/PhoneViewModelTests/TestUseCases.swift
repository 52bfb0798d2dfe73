import PhoneDomain
import PhoneNumbers
import PhoneSignup
import PhoneTestSupport
import Synchronization

/// A use case over the Korean plan whose every answer waits until the test gives it.
final class HeldUseCase: PhoneUseCase {
    /// A call that waits for its answer.
    enum Call: Equatable {
        case requestCode(String, Channel? = nil)
        case signUp(String, String)
    }

    private struct State {
        var calls: [Call] = []
        var codeAnswers: [CheckedContinuation<Result<SentCode, SignupFailure>, Never>] = []
        var signUpAnswers: [CheckedContinuation<Result<SignedUpAccount, SignupFailure>, Never>] = []
    }

    private let state = Mutex(State())
    private let region: Region
    private let arrivals = AsyncStream<Void>.makeStream()

    init(region: Region = .korea) { self.region = region }

    /// All calls so far, answered or not.
    var calls: [Call] { state.withLock(\.calls) }

    /// Waits until a call has arrived that no earlier wait has seen.
    func arrival() async {
        for await _ in arrivals.stream { return }
    }

    /// Answers the oldest call for a code that waits.
    func answer(_ result: Result<SentCode, SignupFailure>) {
        state.withLock { $0.codeAnswers.removeFirst() }.resume(returning: result)
    }

    /// Answers the oldest call to sign up that waits.
    func answerSignUp(_ result: Result<SignedUpAccount, SignupFailure>) {
        state.withLock { $0.signUpAnswers.removeFirst() }.resume(returning: result)
    }

    func phoneText(_ typed: String) -> PhoneText { PhoneText(typed, region: region) }

    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode {
        let number = try request.number
        return try await held(.requestCode(number.nationalFormat, request.channel), \.codeAnswers).get()
    }

    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        try await held(.signUp(codeText, sentCode.id), \.signUpAnswers).get()
    }

    private func held<Value>(
        _ call: Call,
        _ answers: any WritableKeyPath<State, [CheckedContinuation<Result<Value, SignupFailure>, Never>]> & Sendable
    ) async -> Result<Value, SignupFailure> {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.calls.append(call)
                $0[keyPath: answers].append(continuation)
            }
            arrivals.continuation.yield()
        }
    }
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

    func phoneText(_ typed: String) -> PhoneText { PhoneText(typed: typed, text: typed, number: nil) }

    func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode {
        continuation.yield("begun")
        let (never, held) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        held.finish()
        continuation.yield("cancelled")
        throw SignupFailure(.unavailable)
    }

    func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        throw SignupFailure(.unavailable)
    }
}

/// A code that was sent to a Korean number.
func sampleCode(
    _ number: String = "010-1234-5678",
    id: String = "ver_1",
    channel: Channel = .sms,
    isOpen: Bool = true
) throws -> SentCode {
    SentCode(
        id: id,
        number: try PhoneNumber(parsing: number, region: .korea),
        channel: channel,
        channels: [.sms, .call],
        resendableFrom: Timestamp(seconds: 30),
        expiresAt: Timestamp(seconds: 600),
        checksLeft: 5,
        isOpen: isOpen
    )
}

/// What signing up comes to, when it makes the account.
let newAccount = SignedUpAccount(id: "acc_7", isNew: true)
