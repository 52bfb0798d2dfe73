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
        /// The limits of ``CheckVerification/limitRules``.
        public var limits: LimitLedger
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?
        /// Whether the traffic around the number has an approval more, set by the command: most checks have no need of
        /// it, so it is loaded afterwards (``CheckVerification/recordApproval(in:)``).
        public var isApprovalToBeCounted = false

        /// The state before the command.
        public init(verification: Verification?, activity: NumberActivity, limits: LimitLedger) {
            self.verification = verification
            self.activity = activity
            self.limits = limits
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It was the right code, in time, and nobody was first.
        case approved(Verification)
        /// It was a wrong code. The verification as this check left it, so that no answer needs to read it again: by then
        /// another check may have approved it.
        case mismatch(Verification)
        /// Nothing was compared.
        case refused(PhoneFailure)
    }

    /// The verification's name.
    public let id: Verification.ID
    /// Who submits the code, and from where; a verification of another owner is as good as none.
    public let context: RequestContext
    /// What was submitted; nil where the one who asked for the verification says by itself that it is done, since the code was
    /// its own. Then nothing is compared, and nothing counted.
    public let code: VerificationCode?
    /// Compares, in constant time.
    public let vault: any CodeVault
    /// The rules of a verification and a number.
    public let policy: VerificationPolicy
    /// The rules against abuse.
    public let abusePolicy: AbusePolicy
    /// Writes the audit trail.
    public let auditor: Auditor
    /// The moment of the check.
    public let now: Timestamp

    /// A check of these parts.
    public init(
        id: Verification.ID,
        context: RequestContext,
        code: VerificationCode?,
        vault: any CodeVault,
        policy: VerificationPolicy,
        abusePolicy: AbusePolicy,
        auditor: Auditor,
        now: Timestamp
    ) {
        self.id = id
        self.context = context
        self.code = code
        self.vault = vault
        self.policy = policy
        self.abusePolicy = abusePolicy
        self.auditor = auditor
        self.now = now
    }

    /// The limits that the check is subject to.
    public var limitRules: [LimitRule] {
        abusePolicy.limits.checks(from: context.address)
    }

    /// Counts, compares and approves, or says why not. What it leaves in the state must be kept in either case.
    ///
    /// - Throws: what ``CodeVault/matches(_:_:for:)`` throws if nothing could be compared, and what
    ///   ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        try apply(to: &state, usingApproval: false)
    }

    /// - Parameter usingApproval: whether an approval that nothing was done with yet is compared with the code once more.
    ///   Signing up leaves one behind if it has to be decided first whose account it is (``PhoneFailure/accountDormant``),
    ///   changing a number if another account has it (``PhoneFailure/numberTaken``).
    func apply(to state: inout State, usingApproval: Bool) throws -> Outcome {
        guard var verification = state.verification, verification.owner == context.owner else {
            return .refused(.verificationNotFound)
        }
        state.limits.prune(at: now)
        if let refusal = state.limits.refusal(at: now) { return .refused(refusal) }
        // Its code, which many may know, is worth nothing from the moment on at which the number is one like others.
        if verification.isTest, !abusePolicy.testNumbers.contains(verification.phoneNumber, at: now) {
            return .refused(.codeExpired)
        }
        let caller = CallerMark(context.address)
        let isUnusedApproval =
            usingApproval && verification.recordedStatus == .approved && verification.consumedBy == nil
        // A tenant's code is good for one answer, as it is with those whose interface tenants use.
        if !isUnusedApproval, context.terms == nil, let code, verification.isRepeatable(by: caller, at: now) {
            return try repeatApproval(of: verification, code, &state)
        }
        let refusal =
            isUnusedApproval
            ? verification.useRefusal(at: now, approvalTTL: policy.approvalTTL) : verification.checkRefusal(at: now)
        if let refusal { return .refused(refusal) }
        state.activity.prune(at: now, policy: policy)
        guard let code else { return try approve(verification, for: caller, &state) }
        if !verification.isTest, let lockedUntil = state.activity.lockedUntil(at: now, policy: policy) {
            return .refused(.rateLimited(policies: [policy.failureQuota], retryAt: lockedUntil))
        }
        state.limits.take(at: now)
        verification.countCheck()
        let matches = try vault.matches(code, verification.code, for: verification.codeContext)
        // An approval that waits costs its holder no check, however often they ask whether it can be used by now.
        if matches, isUnusedApproval, let approved = state.verification { return .approved(approved) }
        if matches { return try approve(verification, for: caller, &state) }
        verification.recordMismatch(at: now)
        if !verification.isTest { state.activity.recordFailure(at: now) }
        state.verification = verification
        state.audit = try auditor.entry(.mismatch, verification.phoneNumber, id, at: now)
        return .mismatch(verification)
    }

    private func approve(
        _ pending: Verification,
        for caller: CallerMark,
        _ state: inout State
    ) throws -> Outcome {
        var verification = pending
        verification.approve(at: now, for: caller)
        if !verification.isTest {
            // Wrong codes count for all who ask for the number. Whoever brought the code, or none, has not shown to have the
            // phone, and must not take away what others' wrong codes have come to.
            if code != nil, !verification.hasCustomCode { state.activity.recordApproval(by: caller) }
            // That a message was of use nobody can say without a code, but for one who compares codes of its own.
            state.isApprovalToBeCounted = code != nil || verification.hasCustomCode
        }
        state.verification = verification
        state.audit = try auditor.entry(.approve, verification.phoneNumber, id, at: now)
        return .approved(verification)
    }

    /// Counts the approval where ``State/isApprovalToBeCounted`` says so.
    public func recordApproval(in traffic: inout NumberTraffic) {
        traffic.recordApproval(at: now)
    }

    /// The same answer once more to one who had the right code a moment ago and has it again. Nothing is approved anew.
    /// With any other code that is over: otherwise there were tries here that nobody counts.
    private func repeatApproval(
        of approved: Verification,
        _ code: VerificationCode,
        _ state: inout State
    ) throws -> Outcome {
        state.limits.take(at: now)
        guard try vault.matches(code, approved.code, for: approved.codeContext) else {
            state.verification?.repeatableBy = nil
            state.audit = try auditor.entry(.mismatch, approved.phoneNumber, id, at: now)
            return .refused(.verificationClosed)
        }
        state.audit = try auditor.entry(.repeatApproval, approved.phoneNumber, id, at: now)
        return .approved(approved)
    }
}
