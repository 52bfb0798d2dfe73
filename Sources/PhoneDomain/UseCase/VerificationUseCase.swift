/// What a server can do with verifications. ``DefaultPhoneUseCase`` implements it over real ports; the guided signup has
/// a part of it, by ``ServerPhoneUseCase``.
public protocol VerificationUseCase: Sendable {
    /// What a field shows for this text: the number with its hyphens, as far as it is typed.
    func format(_ phoneText: String, region: Region) -> String
    /// The number, if a code could be sent to it: a number of its plan, of an allowed region and an accepted kind.
    /// Throws ``PhoneFailure/invalidPhoneNumber(_:)``, ``PhoneFailure/kindNotAccepted(_:)`` or
    /// ``PhoneFailure/regionNotAllowed(_:allowed:)``.
    func phoneNumber(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber
    /// What ``phoneNumber(in:region:)`` does, for a request for a code: a refusal is counted, in metrics, as a request.
    func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber
    /// Whether this text has the form of a code, right or wrong.
    func isCode(_ codeText: String) -> Bool
    /// Checks a code and uses the approval to create or find the account of the proven number, in one transaction. The
    /// text is empty where a message from the person is the proof (``Channel/inbound``).
    func signUp(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext
    ) async throws(PhoneFailure) -> SignedUp
    /// Sends a code to the number, or the same code once more if one is in flight.
    func begin(
        _ number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> BeginVerification.Answer
    /// A challenge for a message to this number, ahead of the request; nil where there are none.
    func challenge(
        for number: PhoneNumber,
        context: RequestContext
    ) async throws(PhoneFailure) -> ChallengeOffer?
    /// The channels by which a number can be verified, in the order in which they are tried where a request names none.
    func channels(to number: PhoneNumber) -> [Channel]
    /// What the person is to send; nil unless the verification waits for a message from them (``Channel/inbound``).
    func instruction(for verification: Verification) throws(PhoneFailure) -> InboundInstruction?
    /// Approves the verification that a message from a person means. Throws ``PhoneFailure/verificationNotFound`` if
    /// none waits for it.
    func receive(_ message: InboundMessage) async throws(PhoneFailure) -> Verification
    /// Checks a code, and leaves the approval to its owner: the account of a signup is created by
    /// ``signUp(_:for:context:)``. Returns the approved verification.
    func check(
        _ codeText: String,
        for which: VerificationReference,
        context: RequestContext
    ) async throws(PhoneFailure) -> Verification
    /// Checks a code by a command that uses the approval in the same transaction, as ``ChangeNumber`` does. `work` puts
    /// the check into the command, and passes that to the store. Throws ``PhoneFailure/malformedCode(length:)``, and
    /// what `work` throws.
    func check<Value: Sendable>(
        _ codeText: String,
        for id: Verification.ID,
        context: RequestContext,
        in work: @Sendable (CheckVerification) async throws(PhoneFailure) -> Value
    ) async throws(PhoneFailure) -> Value
    /// Approves a verification whose owner brought the code (``VerificationOptions/code``), and has compared it itself.
    func approve(_ id: Verification.ID, context: RequestContext) async throws(PhoneFailure) -> Verification
    func cancel(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification
    /// Throws ``PhoneFailure/verificationNotFound`` if there is none, or it is another owner's.
    func verification(_ id: Verification.ID, owner: Owner) async throws(PhoneFailure) -> Verification
    /// The result of a signup with this verification; nil if it was not used yet.
    func signedUp(with verification: Verification) async throws(PhoneFailure) -> SignedUp?
}

public enum VerificationReference: Hashable, Sendable {
    case id(Verification.ID)
    /// The owner's live verification of this number (``Verification/isLive(at:)``).
    case live(PhoneNumber)
}

extension VerificationUseCase {
    public func recipient(in phoneText: String, region: Region) throws(PhoneFailure) -> PhoneNumber {
        try phoneNumber(in: phoneText, region: region)
    }

    public func isValid(_ phoneText: String, region: Region) -> Bool {
        (try? phoneNumber(in: phoneText, region: region)) != nil
    }
}
