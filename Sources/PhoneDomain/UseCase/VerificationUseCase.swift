/// What a server can do with verifications beyond the flow of a signup: tell a new one from a live one, look one up, call
/// one off, and see what it was used for.
public protocol VerificationUseCase: PhoneUseCase {
    /// What ``PhoneUseCase/requestCode(for:context:)`` does, telling a new verification from a live one.
    ///
    /// - Throws: ``PhoneFailure`` where the text or the store will not do; a refusal by the rules is an outcome.
    func begin(
        _ phoneText: String,
        channel: Channel,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer

    /// What ``PhoneUseCase/verify(_:for:context:)`` does, returning a wrong code with the verification as the check left it.
    ///
    /// - Throws: ``PhoneFailure`` where the text or the store will not do; a refusal by the rules is an outcome.
    func check(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> CheckVerification.Outcome

    /// Has a code checked by a command that uses the approval in the same transaction, as ``ChangeNumber`` does.
    ///
    /// - Parameter work: puts the check into the command, and hands that to the store.
    /// - Throws: ``PhoneFailure/malformedCode(length:)``, and what `work` throws.
    func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value

    /// Ends a verification as its owner says: the owner brought the code (``VerificationTerms/code``), and has compared it
    /// itself.
    ///
    /// - Returns: the verification, approved.
    /// - Throws: ``PhoneFailure``.
    func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification

    /// Calls a verification off.
    ///
    /// - Throws: ``PhoneFailure``.
    func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification

    /// The verification of this name.
    ///
    /// - Throws: ``PhoneFailure/verificationNotFound`` if there is none, or it is somebody else's.
    func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification

    /// What a signup with this verification came to, or nil if it was not used yet.
    ///
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp?
}
