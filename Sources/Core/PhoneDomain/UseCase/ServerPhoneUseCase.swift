public import PhoneNumbers
public import PhoneSignup
import Synchronization

/// The use case of one person's signup over the rules in this process: it knows who asks. What its calls returned in
/// full, of which the view model sees the small values, is in ``results``.
public final class ServerPhoneUseCase: PhoneUseCase {
    public struct Results: Sendable {
        /// Why the last tap failed; nil if it did not.
        public fileprivate(set) var failure: PhoneFailure?
        public fileprivate(set) var signedUp: SignedUp?
        fileprivate var verifications: [String: Verification] = [:]

        /// The verification as it was last known.
        public subscript(sentCode: SentCode) -> Verification? { verifications[sentCode.id] }
    }

    private let useCase: VerificationUseCase
    private let context: RequestContext
    private let options: VerificationOptions
    private let checkOptions: CheckOptions
    private let fallbackRegion: Region?
    private let solver: (any ChallengeSolver)?
    private let explain: @Sendable (PhoneFailure) -> String?
    private let latest = Mutex(Results())

    /// - Parameters:
    ///   - fallbackRegion: the other region of ``VerificationUseCase/region(of:in:or:)``.
    ///   - solver: of the challenges that the guard asks for; nil where the options bring proofs.
    ///   - explain: a sentence for the person.
    public init(
        _ useCase: VerificationUseCase,
        context: RequestContext,
        options: VerificationOptions = VerificationOptions(),
        checkOptions: CheckOptions = CheckOptions(),
        fallbackRegion: Region? = nil,
        solver: (any ChallengeSolver)? = nil,
        explain: @escaping @Sendable (PhoneFailure) -> String? = { _ in nil }
    ) {
        (self.useCase, self.context) = (useCase, context)
        (self.options, self.checkOptions) = (options, checkOptions)
        (self.fallbackRegion, self.solver, self.explain) = (fallbackRegion, solver, explain)
    }

    public var results: Results { latest.withLock { $0 } }

    public func phoneText(_ typed: String) -> PhoneText {
        let region = useCase.region(of: typed, in: context.region, or: fallbackRegion)
        return PhoneText(
            typed: typed,
            text: useCase.format(typed, region: region),
            number: try? useCase.phoneNumber(in: typed, region: region)
        )
    }

    public func isCode(_ codeText: String) -> Bool { useCase.isCode(codeText) }

    public func requestCode(_ request: CodeRequest) async throws(SignupFailure) -> SentCode {
        try await keepingFailure { () async throws(PhoneFailure) in
            // Where there is no number, the text is parsed once more, for the reason.
            let number =
                if let number = request.phone.number { number } else {
                    try useCase.recipient(in: request.phone.typed, region: context.region)
                }
            var options = options
            options.channel = request.channel
            return sentCode(of: try await requestCode(to: number, options))
        }
    }

    /// A challenge is solved, and the request is made once more.
    private func requestCode(
        to number: PhoneNumber,
        _ options: VerificationOptions
    ) async throws(PhoneFailure) -> Verification {
        do throws(PhoneFailure) {
            return try await useCase.begin(number, options, context: context).verification
        } catch {
            guard case .challengeRequired(let challenge) = error,
                let solution = try? await solver?.solve(challenge.work)
            else { throw error }
            var options = options
            options.proof = .work(solution)
            return try await useCase.begin(number, options, context: context).verification
        }
    }

    public func signUp(_ codeText: String, for sentCode: SentCode) async throws(SignupFailure) -> SignedUpAccount {
        try await keepingFailure { () async throws(PhoneFailure) in
            guard let verification = results[sentCode] else { throw .verificationNotFound }
            // A used verification gives its account again, but only to a client that has the code.
            if verification.consumedBy != nil, !useCase.isCode(codeText), verification.channel.carriesCode {
                throw .verificationClosed
            }
            let signedUp = try await useCase.signUp(codeText, for: verification.id, checkOptions, context: context)
            latest.withLock {
                $0.signedUp = signedUp
                $0.verifications[sentCode.id] = signedUp.verification
            }
            return SignedUpAccount(id: signedUp.account.id.description, isNew: signedUp.isNew)
        }
    }

    private func keepingFailure<Value>(
        _ work: () async throws(PhoneFailure) -> Value
    ) async throws(SignupFailure) -> Value {
        latest.withLock { $0.failure = nil }
        do throws(PhoneFailure) {
            return try await work()
        } catch {
            latest.withLock { $0.failure = error }
            throw SignupFailure(
                SignupFailure.Code(rawValue: error.code),
                message: explain(error),
                retryAt: error.retryAt,
                sentCode: error.verification.map(sentCode)
            )
        }
    }

    /// What the view model sees of a verification, which this use case then knows: call it with one that was begun
    /// before, for a view model that continues.
    public func sentCode(of verification: Verification) -> SentCode {
        let id = verification.id.description
        latest.withLock { $0.verifications[id] = verification }
        let isOpen =
            switch verification.recordedStatus {
            case .approved, .pending: verification.consumedBy == nil
            case .canceled, .expired, .maxAttemptsReached, .failed: false
            }
        return SentCode(
            id: id,
            number: verification.phoneNumber,
            channel: verification.channel,
            channels: useCase.channels(to: verification.phoneNumber),
            resendableFrom: verification.resendableFrom,
            expiresAt: verification.expiresAt,
            checksLeft: verification.checksLeft,
            isOpen: isOpen
        )
    }
}
