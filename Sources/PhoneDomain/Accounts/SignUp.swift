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
    /// Who signs up; a verification of another owner is as good as none.
    public let owner: Owner
    /// The account's name, if a new one is made.
    public let accountID: Account.ID
    /// The moment.
    public let now: Timestamp
    /// The rules.
    public let policy: VerificationPolicy

    /// A signup of these parts.
    public init(
        verificationID: Verification.ID,
        owner: Owner,
        accountID: Account.ID,
        now: Timestamp,
        policy: VerificationPolicy
    ) {
        self.verificationID = verificationID
        self.owner = owner
        self.accountID = accountID
        self.now = now
        self.policy = policy
    }

    /// Uses the approval, once.
    public func apply(to state: inout State) -> Outcome {
        guard var verification = state.verification, verification.owner == owner else {
            return .refused(.verificationNotFound)
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
        verification.consumedBy = account.id
        state.verification = verification
        state.account = account
        return .signedUp(SignedUp(account: account, verificationID: verification.id))
    }
}
