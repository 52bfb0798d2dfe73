/// Checks a code and uses the approval at once: makes the account of the proven number, or finds it, and opens a session of
/// it if the context says so.
///
/// One atomic operation of the store. A caller with no code, or a wrong one, finds no approval that they could use before
/// the one who brought the right one; of many at once on one verification a single one comes through, and of many at once
/// on one number a single account is made.
public struct SignUp: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// What the check reads and writes, the verification among it.
        public var check: CheckVerification.State
        /// The account that holds the verification's number, or nil if none does. A command may leave another there than
        /// it found: then ``unlinked`` is the one that was found, and must be kept first.
        public var account: Account?
        /// The session that the verification has opened (``Session/id(openedBy:)``), or nil.
        public var session: Session?
        /// The guided signup that owns the verification (``SignUp/signupID``), or nil.
        public var signup: Signup?
        /// The account that the number was taken from, set by the command.
        public var unlinked: Account?
        /// The lines for the audit trail after that of the check, set by the command.
        public var audit: [AuditEntry] = []

        /// The state before the command.
        public init(
            check: CheckVerification.State,
            account: Account?,
            session: Session? = nil,
            signup: Signup? = nil
        ) {
            self.check = check
            self.account = account
            self.session = session
            self.signup = signup
        }
    }

    /// The result, and the verification as this command left it, so that no answer needs to read it again: by then another
    /// request may have changed it.
    public enum Outcome: Hashable, Sendable {
        /// The approval was used for this account.
        case signedUp(SignedUp, Verification)
        /// It was not; nil where the owner has no such verification.
        case refused(PhoneFailure, Verification?)
    }

    /// The check of the code. Its context says who signs up, and from where.
    public let check: CheckVerification
    /// The account's name, if a new one is made.
    public let accountID: Account.ID
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy

    /// A signup of these parts.
    public init(check: CheckVerification, accountID: Account.ID, accountPolicy: AccountPolicy = .standard) {
        self.check = check
        self.accountID = accountID
        self.accountPolicy = accountPolicy
    }

    /// The guided signup that is complete once this comes through; nil for an owner who is none.
    public var signupID: Signup.ID? { Signup.ID(check.context.owner.rawValue) }

    private var now: Timestamp { check.now }

    /// Checks the code and uses the approval, once. A client that lost the answer gets it again for
    /// ``Verification/repeatTime``, with the same code from the same address. What it leaves in the state must be kept in
    /// any case.
    ///
    /// - Throws: what ``CheckVerification/apply(to:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        let approved: Verification
        switch try check.apply(to: &state.check, usingApproval: true) {
        case .approved(let verification): approved = verification
        case .mismatch(let verification):
            return .refused(.codeIncorrect(checksLeft: verification.checksLeft), verification)
        case .refused(let failure):
            return .refused(failure, state.check.verification.flatMap { $0.owner == check.context.owner ? $0 : nil })
        }
        guard approved.consumedBy == nil else {
            // Since then the number may have gone to another account.
            guard let account = state.account, account.id == approved.consumedBy else {
                return .refused(.verificationClosed, approved)
            }
            return .signedUp(signedUp(account, state.session), approved)
        }
        let holder = state.account
        var isKnown = holder != nil
        if let holder, holder.isDue(at: now) || holder.isDormant(at: now, policy: accountPolicy) {
            switch recycling(of: holder) {
            case .signIn: break
            case .ask: return .refused(.accountDormant, approved)
            case .quarantine: isKnown = false
            }
        }
        if let holder, !isKnown {
            var unlinked = holder
            unlinked.unlink(at: now, policy: accountPolicy)
            state.unlinked = unlinked
            state.audit.append(try entry(.unlink, approved))
        }
        var account =
            isKnown
            ? holder ?? made(by: approved)
            : made(by: approved)
        account.recordSignIn(at: now)
        var used = approved
        used.consume(for: account.id, by: CallerMark(check.context.address), at: now)
        state.check.verification = used
        state.account = account
        state.session = check.context.opening?.session(openedBy: used.id, of: account.id, at: now)
        if state.signup?.isComplete == false {
            // Another request may have asked for a code for another number meanwhile.
            state.signup?.verificationID = used.id
            state.signup?.isComplete = true
        }
        state.audit.append(try entry(.signUp, used))
        return .signedUp(signedUp(account, state.session), used)
    }

    /// What is to be done about this account. One whose time is over is as good as gone, whatever the policy.
    private func recycling(of holder: Account) -> AccountPolicy.Recycling {
        if holder.isDue(at: now) { return .quarantine }
        switch (accountPolicy.recycling, check.context.decision) {
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
        let digests = check.context.opening?.tokenDigests ?? []
        return SignedUp(
            account: account,
            verificationID: check.id,
            session: session.flatMap { digests.contains($0.tokenDigest) ? $0 : nil }
        )
    }

    private func entry(_ action: AuditEntry.Action, _ verification: Verification) throws -> AuditEntry {
        try check.auditor.entry(action, verification.phoneNumber, verification.id, at: now)
    }
}
