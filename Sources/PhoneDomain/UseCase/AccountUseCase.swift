/// What the owner of an account can do with it. Every method may throw ``PhoneFailure/unavailable(cause:)``, and those
/// for a session ``PhoneFailure/notSignedIn``.
public protocol AccountUseCase: Sendable {
    /// The ``RequestContext/opening`` of a signup that uses this verification. `secret` is the signup's own token:
    /// showing it again gives the same tokens.
    func opening(
        of verification: Verification.ID,
        by secret: SecretToken,
        userAgent: String?
    ) throws(PhoneFailure) -> SessionOpening
    /// The first tokens of the session that a signup has opened; nil if it has opened none, or its session was
    /// refreshed since.
    func tokens(of signedUp: SignedUp, by secret: SecretToken) async throws(PhoneFailure) -> IssuedTokens?
    /// The next tokens. Throws ``PhoneFailure/notSignedIn`` for anything but a valid refresh token.
    func refresh(_ token: SecretToken, from address: ClientAddress?) async throws(PhoneFailure) -> IssuedTokens
    /// Who sent this access token, if it is valid and its session still exists.
    func signedIn(by accessToken: SecretToken) async throws(PhoneFailure) -> SignedIn
    /// Who sent this refresh token, if it is the valid one or was until a moment ago. It is not used up.
    func signedIn(byRefreshToken token: SecretToken) async throws(PhoneFailure) -> SignedIn
    /// The newest first; 100 at most.
    func sessions(of signedIn: SignedIn) async throws(PhoneFailure) -> [Session]
    /// Returns how many had not expired.
    func end(
        _ selection: EndSessions.Selection,
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Int
    /// Changes the account's metadata. `change` must have no side effects, since it may be called again; what it
    /// throws, such as ``PhoneFailure/invalidMetadata(_:)``, is thrown.
    func update(
        _ signedIn: SignedIn,
        _ change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) async throws(PhoneFailure) -> Account
    /// Schedules the deletion after the grace period, and ends all of the account's sessions.
    func requestDeletion(of signedIn: SignedIn, from address: ClientAddress?) async throws(PhoneFailure) -> Account
    func personalData(of signedIn: SignedIn) async throws(PhoneFailure) -> PersonalData
    /// Call before sending a code to the new number. Throws ``PhoneFailure/proofTooOld`` if this session may not change
    /// it.
    func requireFreshProof(_ signedIn: SignedIn) throws(PhoneFailure)
    /// Gives an account the number that this check proves, in the transaction that compares the code. The owner in the
    /// check is a session of the account (``Owner/session(_:)``); the check comes from
    /// ``VerificationUseCase/check(_:for:context:in:)``.
    func changeNumber(by check: CheckVerification) async throws(PhoneFailure) -> Account
    /// The account that has this number, if it was inactive for so long that another person may prove the number now.
    func dormantAccount(of number: PhoneNumber) async throws(PhoneFailure) -> Account?
    /// Saves an audit entry of what was decided about the dormant account of a number: before the decision, so that
    /// none is missing.
    func recordDecision(
        _ decision: DormantDecision,
        on verification: Verification,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws(PhoneFailure)
    /// The change that this secret can undo now. Throws ``PhoneFailure/numberChangeNotFound``.
    func numberChange(undoneBy token: SecretToken) async throws(PhoneFailure) -> NumberChange
    /// Throws ``PhoneFailure/numberChangeNotFound`` and ``PhoneFailure/numberTaken``.
    func undoNumberChange(by token: SecretToken, from address: ClientAddress?) async throws(PhoneFailure) -> Account
}
