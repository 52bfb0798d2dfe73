import PhoneDomain
import PhoneViewModel

/// A signup and its view model, brought back for the length of one request.
struct LiveSignup: Sendable {
    let id: Signup.ID
    /// What takes this request's events.
    let session: PhoneViewSession
    /// What the signup came to, if it has.
    let signedUp: SignedUp?

    /// Where the signup left off.
    ///
    /// - Parameter context: who asks, and what signing up is to open.
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    init(
        _ signup: Signup,
        useCase: any VerificationUseCase,
        context: RequestContext
    ) async throws(PhoneFailure) {
        var verification: Verification?
        if let verificationID = signup.verificationID {
            do {
                verification = try await useCase.verification(verificationID, owner: signup.owner)
            } catch .verificationNotFound {
                // It was purged, as all are in the end: the signup goes on without.
                verification = nil
            }
        }
        id = signup.id
        session = PhoneViewSession(
            PhoneViewModel(
                useCase: useCase,
                context: context,
                phoneText: signup.phoneText,
                codeText: signup.codeText,
                verification: verification
            )
        )
        signedUp = if let verification { try await useCase.signedUp(with: verification) } else { nil }
    }

    /// How it stands.
    var answer: SignupAnswer {
        SignupAnswer(id: id, state: session.state, signedUp: signedUp)
    }
}
