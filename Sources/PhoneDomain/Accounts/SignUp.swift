/// Uses an approval: makes the account of the proven number, or finds it.
///
/// One atomic operation of the store, so that of many at once on one approval a single one comes through, and of
/// many at once on one number a single account is made.
public struct SignUp: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The verification, or nil if there is none of that name.
        public var verification: Verification?
        /// The account that holds the verification's number, or nil if none does.
        public var account: Account?
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(verification: Verification?, account: Account?) {
            self.verification = verification
            self.account = account
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The approval was used for this account.
        case signedUp(SignedUp)
        /// There is no approval to use.
        case refused(PhoneFailure)
    }

    /// The verification's name.
    public let verificationID: Verification.ID
    /// Who signs up, and from where; a verification of another owner is as good as none.
    public let context: RequestContext
    /// The account's name, if a new one is made.
    public let accountID: Account.ID
    /// The moment.
    public let now: Timestamp
    /// The rules.
    public let policy: VerificationPolicy
    /// Writes the audit trail.
    public let auditor: Auditor

    /// A signup of these parts.
    public init(
        verificationID: Verification.ID,
        context: RequestContext,
        accountID: Account.ID,
        now: Timestamp,
        policy: VerificationPolicy,
        auditor: Auditor
    ) {
        self.verificationID = verificationID
        self.context = context
        self.accountID = accountID
        self.now = now
        self.policy = policy
        self.auditor = auditor
    }

    /// Uses the approval, once. One who did not hear the answer hears it again for a few seconds.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard var verification = state.verification, verification.owner == context.owner else {
            return .refused(.verificationNotFound)
        }
        let caller = CallerMark(context.address)
        if let account = state.account, verification.consumedBy == account.id,
            verification.isRepeatable(by: caller, at: now)
        {
            state.audit = try auditor.entry(.repeatApproval, verification.phoneNumber, verification.id, at: now)
            return .signedUp(SignedUp(account: account, verificationID: verification.id))
        }
        switch verification.status(at: now) {
        case .approved where verification.consumedBy == nil: break
        case .expired: return .refused(.codeExpired)
        case .pending: return .refused(.verificationNotApproved)
        case .approved, .canceled, .failed, .maxAttemptsReached: return .refused(.verificationClosed)
        }
        // The second for an approval that a clock gave which was ahead.
        guard now < verification.updatedAt + policy.approvalTTL,
            now > verification.updatedAt - Verification.clockTolerance
        else { return .refused(.codeExpired) }
        let account =
            state.account
            ?? Account(
                id: accountID,
                phoneNumber: verification.phoneNumber,
                createdAt: now,
                createdBy: verification.id
            )
        verification.consume(for: account.id, by: caller, at: now)
        state.verification = verification
        state.account = account
        state.audit = try auditor.entry(.signUp, verification.phoneNumber, verification.id, at: now)
        return .signedUp(SignedUp(account: account, verificationID: verification.id))
    }
}
