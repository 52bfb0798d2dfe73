/// What the holder of an account can do with it: stay signed in, see it, change it, leave.
public protocol AccountUseCase: Sendable {
    /// What a signup opens a session by: it belongs into ``RequestContext/opening``.
    ///
    /// - Parameters:
    ///   - verification: the one that the signup will use.
    ///   - secret: the signup's own token: whoever shows it again gets the same tokens.
    ///   - userAgent: what the device calls itself.
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func opening(
        of verification: Verification.ID,
        by secret: SecretToken,
        userAgent: String?
    ) throws(PhoneFailure) -> SessionOpening

    /// The first tokens of the session that a signup has opened; nil if it has opened none, or its session has gone on since.
    ///
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func tokens(of signedUp: SignedUp, by secret: SecretToken) async throws(PhoneFailure) -> IssuedTokens?

    /// The next tokens.
    ///
    /// - Throws: ``PhoneFailure/notSignedIn`` for anything but a good refresh token, and ``PhoneFailure/unavailable(cause:)``.
    func refresh(_ token: SecretToken, from address: ClientAddress?) async throws(PhoneFailure) -> IssuedTokens

    /// Who shows this access token, if it is good and its session still there.
    ///
    /// - Throws: ``PhoneFailure/notSignedIn`` and ``PhoneFailure/unavailable(cause:)``.
    func signedIn(by accessToken: SecretToken) async throws(PhoneFailure) -> SignedIn

    /// Who shows this refresh token, if it is the one that is good now or was until a moment ago. It is not used up.
    ///
    /// - Throws: ``PhoneFailure/notSignedIn`` and ``PhoneFailure/unavailable(cause:)``.
    func signedIn(byRefreshToken token: SecretToken) async throws(PhoneFailure) -> SignedIn

    /// The sessions of the account, the youngest first; 100 at most.
    ///
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func sessions(of signedIn: SignedIn) async throws(PhoneFailure) -> [Session]

    /// Ends sessions of the account.
    ///
    /// - Returns: how many were not over yet.
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func end(
        _ selection: EndSessions.Selection,
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Int

    /// Changes what is kept with the account.
    ///
    /// - Parameter change: it must do nothing else, since it may be called again.
    /// - Throws: what the change throws, such as ``PhoneFailure/invalidMetadata(_:)``, ``PhoneFailure/notSignedIn`` and ``PhoneFailure/unavailable(cause:)``.
    func update(
        _ signedIn: SignedIn,
        _ change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) async throws(PhoneFailure) -> Account

    /// Has the account deleted after its time of grace, and ends all of its sessions.
    ///
    /// - Throws: ``PhoneFailure/notSignedIn`` and ``PhoneFailure/unavailable(cause:)``.
    func requestDeletion(of signedIn: SignedIn, from address: ClientAddress?) async throws(PhoneFailure) -> Account

    /// All that is held on the holder of the account.
    ///
    /// - Throws: ``PhoneFailure/notSignedIn`` and ``PhoneFailure/unavailable(cause:)``.
    func personalData(of signedIn: SignedIn) async throws(PhoneFailure) -> PersonalData

    /// Whether the number may be changed in this session: asked before a code is sent to the new number in vain.
    ///
    /// - Throws: ``PhoneFailure/proofTooOld``.
    func requireFreshProof(_ signedIn: SignedIn) throws(PhoneFailure)

    /// Gives an account the number that this check proves, in the transaction that compares the code. The owner that the check
    /// names is a session of the account (``Owner/session(_:)``); the check is had from
    /// ``VerificationUseCase/check(_:for:context:in:)``.
    ///
    /// - Throws: ``PhoneFailure``.
    func changeNumber(by check: CheckVerification) async throws(PhoneFailure) -> Account

    /// The account that holds this number, if nobody has been heard of for so long that it may be somebody else who proves
    /// the number now; nil otherwise.
    ///
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func dormantAccount(of number: PhoneNumber) async throws(PhoneFailure) -> Account?

    /// Puts on the trail what was decided about the dormant account of a number: before it is kept, so that nothing is decided
    /// that is not on it.
    ///
    /// - Parameters:
    ///   - decision: what.
    ///   - verification: by which the number was proven.
    ///   - owner: who decided.
    ///   - address: from where.
    /// - Throws: ``PhoneFailure/unavailable(cause:)``.
    func recordDecision(
        _ decision: DormantDecision,
        on verification: Verification,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws(PhoneFailure)

    /// The change that this secret can undo at the moment.
    ///
    /// - Throws: ``PhoneFailure/numberChangeNotFound`` and ``PhoneFailure/unavailable(cause:)``.
    func numberChange(undoneBy token: SecretToken) async throws(PhoneFailure) -> NumberChange

    /// Undoes a change of number.
    ///
    /// - Throws: ``PhoneFailure/numberChangeNotFound``, ``PhoneFailure/numberTaken`` and ``PhoneFailure/unavailable(cause:)``.
    func undoNumberChange(by token: SecretToken, from address: ClientAddress?) async throws(PhoneFailure) -> Account
}
