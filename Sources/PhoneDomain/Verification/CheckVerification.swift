/// A code submitted for comparison.
///
/// Counted first, then compared, then approved, as one atomic operation of the store: however many checks arrive at
/// once, no more are compared than the policy allows and no more than one approves.
public struct CheckVerification: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The verification, or nil if there is none of that name.
        public var verification: Verification?
        /// What its number has been through.
        public var activity: NumberActivity

        /// The state before the command.
        public init(verification: Verification?, activity: NumberActivity) {
            self.verification = verification
            self.activity = activity
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It was the right code, in time, and nobody was first.
        case approved(Verification)
        /// It was not, or nothing was compared.
        case refused(PhoneFailure)
    }

    /// The verification's name.
    public let id: Verification.ID
    /// Who submits the code; a verification of another owner is as good as none.
    public let owner: Owner
    /// What was submitted.
    public let code: VerificationCode
    /// Compares, in constant time.
    public let vault: any CodeVault
    /// The rules.
    public let policy: VerificationPolicy
    /// The moment of the check.
    public let now: Timestamp

    /// A check of these parts.
    public init(
        id: Verification.ID,
        owner: Owner,
        code: VerificationCode,
        vault: any CodeVault,
        policy: VerificationPolicy,
        now: Timestamp
    ) {
        self.id = id
        self.owner = owner
        self.code = code
        self.vault = vault
        self.policy = policy
        self.now = now
    }

    /// Counts, compares and approves, or says why not. What it leaves in the state must be kept in either case.
    ///
    /// - Throws: what ``CodeVault/matches(_:_:for:)`` throws if nothing could be compared; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard var verification = state.verification, verification.owner == owner else {
            return .refused(.verificationNotFound)
        }
        if let refusal = verification.checkRefusal(at: now) {
            return .refused(refusal)
        }
        state.activity.prune(at: now, policy: policy)
        if let lockedUntil = state.activity.lockedUntil(at: now, policy: policy) {
            return .refused(.rateLimited(policies: ["number-failures"], retryAt: lockedUntil))
        }
        verification.countCheck()
        let matches = try vault.matches(code, verification.code, for: verification.codeContext)
        if matches {
            verification.approve(at: now)
            state.activity.recordApproval()
        } else {
            verification.recordMismatch(at: now)
            state.activity.recordFailure(at: now)
        }
        state.verification = verification
        return matches ? .approved(verification) : .refused(.codeIncorrect(checksLeft: verification.checksLeft))
    }
}
