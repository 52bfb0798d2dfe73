public import PhoneNumbers
public import PhoneSignup

/// A code submitted for comparison.
///
/// Counted first, then compared, then approved, as one atomic operation of the store: however many checks arrive at
/// once, no more are compared than the policy allows and no more than one approves.
public struct CheckVerification: Command {
    public struct State: Sendable {
        public var verification: Verification?
        public var activity: NumberActivity
        public var limits: LimitLedger
        /// Whether the client's API key was revoked since it was last looked up.
        let isKeyInvalid: Bool
        public var audit: AuditEntry?
        /// Whether to count an approval in the traffic around the number, set by the command: most checks do not need
        /// the traffic, so it is loaded afterwards (``CheckVerification/recordApproval(in:)``).
        public var isApprovalToBeCounted = false

        public init(
            verification: Verification?,
            activity: NumberActivity,
            limits: LimitLedger,
            isKeyInvalid: Bool = false
        ) {
            (self.verification, self.activity, self.limits) = (verification, activity, limits)
            self.isKeyInvalid = isKeyInvalid
        }
    }

    public let id: Verification.ID
    /// Who submits the code, and from where; a verification of another owner is treated as absent.
    public let context: RequestContext
    public let options: CheckOptions
    /// The submitted code. Nil where a client reports that a verification with a code of its own is done, where a
    /// message from the person approves it, and where an approval by such a message or by the SIM is used: nothing is
    /// compared or counted.
    public let code: VerificationCode?
    public let vault: any CodeVault
    public let policy: VerificationPolicy
    public let abusePolicy: AbusePolicy
    public let auditor: Auditor
    public let now: Timestamp

    public init(
        id: Verification.ID,
        context: RequestContext,
        options: CheckOptions = CheckOptions(),
        code: VerificationCode?,
        vault: any CodeVault,
        policy: VerificationPolicy,
        abusePolicy: AbusePolicy,
        auditor: Auditor,
        now: Timestamp
    ) {
        (self.id, self.context, self.options) = (id, context, options)
        (self.code, self.vault, self.policy) = (code, vault, policy)
        (self.abusePolicy, self.auditor, self.now) = (abusePolicy, auditor, now)
    }

    public var limitRules: [LimitRule] { abusePolicy.limits.checks(from: context.address) }

    /// Counts, compares and approves, or says why not.
    public func apply(to state: inout State) throws -> Result<Verification, PhoneFailure> {
        try apply(to: &state, usesApproval: false)
    }

    /// What a command does first that uses the approval in the same transaction (``SignUp``, `ChangeNumber`): without
    /// a code nothing is approved, and an approval that is not yet used is compared with the code once more. Signing up
    /// leaves one if the owner of a dormant account must be decided first (``PhoneFailure/accountDormant(_:)``),
    /// changing a number if another account has it (``PhoneFailure/numberTaken``).
    package func applyToUse(_ state: inout State) throws -> Result<Verification, PhoneFailure> {
        try apply(to: &state, usesApproval: true)
    }

    private func apply(to state: inout State, usesApproval: Bool) throws -> Result<Verification, PhoneFailure> {
        if state.isKeyInvalid { return .failure(.keyInvalid) }
        guard var verification = state.verification, verification.owner == context.owner
        else { return .failure(.verificationNotFound) }
        state.limits.prune(at: now)
        if let refusal = state.limits.refusal(at: now) { return .failure(refusal) }
        // A test number's code, which many may know, is no longer valid once the number is not a test number any more.
        if verification.isTest, !abusePolicy.testNumbers.contains(verification.phoneNumber, at: now) {
            return .failure(.codeExpired)
        }
        let caller = ClientOrigin(context.address)
        let isUnusedApproval =
            usesApproval && verification.recordedStatus == .approved && verification.consumedBy == nil
        if usesApproval, code == nil {
            let refusal = refusal(ofUsing: verification, isUnused: isUnusedApproval, caller)
            return refusal.map { .failure($0) } ?? .success(verification)
        }
        if !isUnusedApproval, options.repeatsApproval, let code, verification.isRepeatable(by: caller, at: now) {
            return try repeatApproval(of: verification, code, &state)
        }
        // It has tried a wrong code, and its answer was lost.
        if code != nil, let key = context.idempotencyKey, verification.lastRequest == key {
            return .failure(.codeIncorrect(verification))
        }
        let refusal =
            isUnusedApproval
            ? verification.useRefusal(at: now, approvalTTL: policy.approvalTTL) : verification.checkRefusal(at: now)
        if let refusal { return .failure(refusal) }
        state.activity.prune(at: now, policy: policy)
        guard let code else { return .success(try approve(verification, for: caller, &state)) }
        if !verification.isTest, let lockedUntil = state.activity.lockedUntil(at: now, policy: policy) {
            return .failure(.rateLimited(policies: [policy.failureQuota], retryAt: lockedUntil))
        }
        let guesser = guesser(of: verification, state.activity)
        if let guesser, let refusal = verification.shareRefusal(of: guesser, policy: policy) {
            return .failure(refusal)
        }
        state.limits.take(.requests, at: now)
        verification.countCheck()
        let matches = try matches(code, verification)
        // An approval not yet used costs its holder no check, however often they ask whether it can be used.
        if matches, isUnusedApproval, let approved = state.verification { return .success(approved) }
        if matches { return .success(try approve(verification, for: caller, &state)) }
        verification.recordMismatch(at: now, by: guesser)
        verification.lastRequest = context.idempotencyKey
        // Wrong codes lock a number for all its clients, so each must have cost a message to it.
        if !verification.isTest, verification.isCodeSent { state.activity.recordFailure(at: now) }
        state.verification = verification
        state.audit = try auditor.entry(.mismatch, verification, at: now)
        return .failure(.codeIncorrect(verification))
    }

    /// Whose share of the checks a code takes; nil where only the owner can check one.
    private func guesser(of verification: Verification, _ activity: NumberActivity) -> ClientOrigin? {
        guard context.isPublic, !verification.isTest, let address = context.address else { return nil }
        let network = ClientOrigin(networkOf: address)
        return activity.senders.contains(network) ? network : ClientOrigin(networkOf: nil)
    }

    /// A code that no message carried matches nothing, and is found out in the same time.
    private func matches(_ code: VerificationCode, _ verification: Verification) throws -> Bool {
        let isRight = try vault.matches(code, verification.code, for: verification.codeContext)
        return isRight && verification.isCodeSent
    }

    /// Why an approval cannot be used without a code. Nothing but a message from the person and their SIM approve without
    /// one, and only the verification's owner knows that they did.
    private func refusal(
        ofUsing approval: Verification,
        isUnused: Bool,
        _ caller: ClientOrigin
    ) -> PhoneFailure? {
        guard !approval.channel.carriesCode else {
            return .malformedCode(length: options.codeLength ?? policy.codeLength)
        }
        if isUnused { return approval.useRefusal(at: now, approvalTTL: policy.approvalTTL) }
        if approval.isRepeatable(by: caller, at: now) { return nil }
        return approval.checkRefusal(at: now) ?? .verificationNotApproved
    }

    private func approve(
        _ pending: Verification,
        for caller: ClientOrigin,
        _ state: inout State
    ) throws -> Verification {
        var verification = pending
        verification.approve(at: now, for: caller)
        if !verification.isTest {
            // Wrong codes count for all clients of the number. A client that brought the code, or none, has not shown
            // to have the phone, and must not clear others' wrong codes.
            if code != nil, !verification.hasCustomCode {
                state.activity.recordApproval(by: ClientOrigin(networkOf: context.address))
            }
            // Only a code shows that a message was useful, or the client's own comparison of its own code.
            state.isApprovalToBeCounted = code != nil || verification.hasCustomCode
        }
        state.verification = verification
        state.audit = try auditor.entry(.approve, verification, at: now)
        return verification
    }

    /// Call when ``State/isApprovalToBeCounted``.
    public func recordApproval(in traffic: inout NumberTraffic) { traffic.recordApproval(at: now) }

    /// Repeats the answer to a client that had the right code a moment ago and sends it again. Nothing is approved
    /// anew. Any other code ends this: otherwise these would be uncounted guesses.
    private func repeatApproval(
        of approved: Verification,
        _ code: VerificationCode,
        _ state: inout State
    ) throws -> Result<Verification, PhoneFailure> {
        state.limits.take(.requests, at: now)
        guard try matches(code, approved) else {
            state.verification?.repeatableBy = nil
            state.audit = try auditor.entry(.mismatch, approved, at: now)
            return .failure(.verificationClosed)
        }
        state.audit = try auditor.entry(.repeatApproval, approved, at: now)
        return .success(approved)
    }
}

/// The check of an owner's live verification of a number, which is found in the transaction of the check.
public struct CheckLiveVerification: Sendable {
    public let number: PhoneNumber
    public let owner: Owner
    public let now: Timestamp
    /// The check of the verification with this ID.
    public let check: @Sendable (Verification.ID) -> CheckVerification
}

public struct CancelVerification: Command {
    public struct State: Sendable {
        public var verification: Verification?
        public var audit: AuditEntry?
        public init(verification: Verification?) { self.verification = verification }
    }

    public let id: Verification.ID
    /// Who cancels; a verification of another owner is treated as absent.
    public let owner: Owner
    let auditor: Auditor
    public let now: Timestamp

    /// Cancels a pending verification; one that is already canceled stays so, since the client has what was asked for.
    /// A verification whose checks are used up stays locked: canceling it would be a way to new checks.
    public func apply(to state: inout State) throws -> Result<Verification, PhoneFailure> {
        guard var found = state.verification, found.owner == owner else { return .failure(.verificationNotFound) }
        switch found.status(at: now) {
        case .pending:
            found.cancel(at: now)
            state.verification = found
            state.audit = try auditor.entry(.cancel, found, at: now)
            return .success(found)
        case .canceled: return .success(found)
        case .expired: return .failure(.codeExpired)
        case .approved, .failed, .maxAttemptsReached: return .failure(.verificationClosed)
        }
    }
}
