import PhoneDomain

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
        throw .invalidPhoneNumber(.tooShort)
    }

    func isCode(_ codeText: String) -> Bool { false }

    func requestCode(for phoneText: String, context: RequestContext) async throws(PhoneFailure) -> Verification {
        continuation.yield("begun")
        let (never, held) = AsyncStream<Void>.makeStream()
        for await _ in never {}
        held.finish()
        continuation.yield("cancelled")
        throw .verificationNotFound
    }

    func verify(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification {
        throw .verificationNotFound
    }

    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignUp.Outcome {
        throw .verificationNotFound
    }
}
