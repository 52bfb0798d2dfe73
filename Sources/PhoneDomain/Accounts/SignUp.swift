/// Uses an approval: makes the account of the proven number, or finds it, and opens a session of it if the context says so.
///
/// One atomic operation of the store, so that of many at once on one approval a single one comes through, and of
/// many at once on one number a single account is made.
public struct SignUp: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The verification, or nil if there is none of that name.
        public var verification: Verification?
        /// The account that holds the verification's number, or nil if none does. A command may leave another there than
        /// it found: then ``unlinked`` is the one that was found, and must be kept first.
        public var account: Account?
        /// The session that the verification has opened (``Session/id(openedBy:)``), or nil.
        public var session: Session?
        /// The account that the number was taken from, set by the command.
        public var unlinked: Account?
        /// The lines for the audit trail, set by the command.
        public var audit: [AuditEntry] = []

        /// The state before the command.
        public init(verification: Verification?, account: Account?, session: Session? = nil) {
            self.verification = verification
            self.account = account
            self.session = session
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
    /// The rules of verifications.
    public let policy: VerificationPolicy
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy
    /// Writes the audit trail.
    public let auditor: Auditor

    /// A signup of these parts.
    public init(
        verificationID: Verification.ID,
        context: RequestContext,
        accountID: Account.ID,
        now: Timestamp,
        policy: VerificationPolicy,
        accountPolicy: AccountPolicy = .standard,
        auditor: Auditor
    ) {
        self.verificationID = verificationID
        self.context = context
        self.accountID = accountID
        self.now = now
        self.policy = policy
        self.accountPolicy = accountPolicy
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
            add(try auditor.entry(.repeatApproval, verification.phoneNumber, verification.id, at: now), to: &state)
            return .signedUp(signedUp(account, state.session))
        }
        if let refusal = verification.useRefusal(at: now, approvalTTL: policy.approvalTTL) { return .refused(refusal) }
        let holder = state.account
        var isKnown = holder != nil
        if let holder, holder.isDue(at: now) || holder.isDormant(at: now, policy: accountPolicy) {
            switch recycling(of: holder) {
            case .signIn: break
            case .ask: return .refused(.accountDormant)
            case .quarantine: isKnown = false
            }
        }
        if let holder, !isKnown {
            var unlinked = holder
            unlinked.unlink(at: now, policy: accountPolicy)
            state.unlinked = unlinked
            add(try auditor.entry(.unlink, verification.phoneNumber, verification.id, at: now), to: &state)
        }
        var account =
            isKnown
            ? holder ?? made(by: verification)
            : made(by: verification)
        account.recordSignIn(at: now)
        verification.consume(for: account.id, by: caller, at: now)
        state.verification = verification
        state.account = account
        state.session = context.opening?.session(openedBy: verification.id, of: account.id, at: now)
        add(try auditor.entry(.signUp, verification.phoneNumber, verification.id, at: now), to: &state)
        return .signedUp(signedUp(account, state.session))
    }

    /// What is to be done about this account. One whose time is over is as good as gone, whatever the policy.
    private func recycling(of holder: Account) -> AccountPolicy.Recycling {
        if holder.isDue(at: now) { return .quarantine }
        switch (accountPolicy.recycling, context.decision) {
        case (.ask, .signIn?): return .signIn
        case (.ask, .newAccount?): return .quarantine
        case (let recycling, _): return recycling
        }
    }

    private func made(by verification: Verification) -> Account {
        Account(id: accountID, phoneNumber: verification.phoneNumber, createdAt: now, createdBy: verification.id)
    }

    /// The session is told only to one who can make its token.
    private func signedUp(_ account: Account, _ session: Session?) -> SignedUp {
        let isTheirs = session.map { context.opening?.tokenDigests.contains($0.tokenDigest) ?? false } ?? false
        return SignedUp(account: account, verificationID: verificationID, session: isTheirs ? session : nil)
    }

    private func add(_ entry: AuditEntry, to state: inout State) {
        state.audit.append(entry)
    }
}
