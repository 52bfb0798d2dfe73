/// What a signup can do with a phone number: show it well, judge it, have a code sent, check the code, sign up.
///
/// The view model drives it; ``LivePhoneUseCase`` is the one over real ports.
public protocol PhoneUseCase: Sendable {
    /// What a field shows for this text: the number with its hyphens, as far as it is typed.
    func format(_ phoneText: String, region: Region) -> String

    /// The number that this text says, if a code could be sent to it: a number of its plan, of an allowed region and
    /// an accepted kind.
    ///
    /// - Throws: ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    ///   ``PhoneFailure/regionNotAllowed(_:)``.
    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber

    /// Whether this text has the form of a code, right or wrong.
    func isCode(_ codeText: String) -> Bool

    /// Has a code sent to the number that the text says, or the same code once more if one is out.
    ///
    /// - Returns: the verification, new or live.
    /// - Throws: ``PhoneFailure``.
    func requestCode(for phoneText: String, context: RequestContext) async throws(PhoneFailure) -> Verification

    /// Checks a code, and leaves the approval to its owner: the account of a signup is made by ``signUp(_:for:context:)``.
    ///
    /// - Returns: the verification, approved.
    /// - Throws: ``PhoneFailure``.
    func verify(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification

    /// Checks a code and uses the approval to make or find the account of the proven number, in one transaction.
    ///
    /// - Throws: ``PhoneFailure`` where the text cannot be a code or the store fails; a refusal by the rules is an outcome.
    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignUp.Outcome
}

extension PhoneUseCase {
    /// Whether a code could be sent to what this text says.
    public func isValid(_ phoneText: String, region: Region) -> Bool {
        (try? phoneNumber(in: phoneText, region: region)) != nil
    }
}
