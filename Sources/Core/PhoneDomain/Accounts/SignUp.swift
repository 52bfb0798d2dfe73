import PhoneSignup

/// Checks a code and uses the approval at once: creates the account of the proven number, or finds it, and opens a
/// session if its options say so.
///
/// One atomic operation of the store. A client with no code, or a wrong one, finds no approval to use before the one
/// with the right code; of many at once on one verification a single one succeeds, and of many at once on one number a
/// single account is created.
public struct SignUp: Command {
    public struct State: Sendable {
        public var check: CheckVerification.State
        /// The account that has the verification's number. If the command replaces it by another, ``unlinked`` is the
        /// one that was found, and must be saved first.
        public var account: Account?
        /// The session that the verification has opened (``Session/id(openedBy:)``).
        public var session: Session?
        public var signup: Signup?
        /// The account that the number was taken from, set by the command.
        public var unlinked: Account?
        public var audit: [AuditEntry] = []

        public init(check: CheckVerification.State, account: Account?, session: Session? = nil, signup: Signup? = nil) {
            (self.check, self.account, self.session, self.signup) = (check, account, session, signup)
        }
    }

    /// The check of the code. Its context says who signs up, and from where.
    public let check: CheckVerification
    let accountID: Account.ID
    var accountPolicy = AccountPolicy.standard

    /// The guided signup that is complete once this succeeds, if the owner is one.
    public var signupID: Signup.ID? { check.context.owner.signupID }
    private var now: Timestamp { check.now }

    /// Checks the code and uses the approval, once. A client that lost the answer gets it again for
    /// ``Verification/repeatTime``, with the same code from the same address.
    public func apply(to state: inout State) throws -> Result<SignedUp, PhoneFailure> {
        let approved: Verification
        switch try check.applyToUse(&state.check) {
        case .success(let verification): approved = verification
        case .failure(let refusal): return .failure(refusal)
        }
        guard approved.consumedBy == nil else {
            // Since then the number may have gone to another account.
            guard let account = state.account, account.id == approved.consumedBy
            else { return .failure(.verificationClosed) }
            return .success(signedUp(account, approved, state.session))
        }
        var (holder, former) = (state.account, nil as Account?)
        if let found = holder, found.isDue(at: now) || found.isDormant(at: now, policy: accountPolicy) {
            switch recycling(of: found) {
            case .signIn: break
            case .ask: return .failure(.accountDormant(approved))
            case .quarantine: (holder, former) = (nil, found)
            }
        }
        if holder?.suspendedAt != nil { return .failure(.accountSuspended) }
        let consent = accountPolicy.consent?.consent(in: state.signup, at: now)
        if holder == nil, consent == nil, accountPolicy.consent?.isRequired == true {
            return .failure(.consentRequired(approved))
        }
        if let former {
            state.unlinked = former.unlinked(at: now, policy: accountPolicy)
            state.audit.append(try check.auditor.entry(.unlink, approved.phoneNumber, approved.id, at: now))
        }
        var account =
            holder
            ?? Account(id: accountID, phoneNumber: approved.phoneNumber, createdAt: now, createdBy: approved.id)
        account.recordSignIn(at: now)
        if let consent, consent.version != account.consent?.version { account.consent = consent }
        var used = approved
        used.consume(for: account.id, by: ClientOrigin(check.context.address), at: now)
        state.check.verification = used
        state.account = account
        state.session = check.options.opening?.session(openedBy: used.id, of: account, at: now)
        if state.signup?.isComplete == false {
            // Another request may have asked for a code for another number meanwhile.
            state.signup?.verificationID = used.id
            state.signup?.isComplete = true
        }
        state.audit.append(try check.auditor.entry(.signUp, used, at: now))
        return .success(signedUp(account, used, state.session))
    }

    /// An account that is due for deletion is treated as absent, whatever the policy.
    private func recycling(of holder: Account) -> AccountPolicy.Recycling {
        if holder.isDue(at: now) { return .quarantine }
        switch (accountPolicy.recycling, check.options.decision) {
        case (.ask, .signIn?): return .signIn
        case (.ask, .newAccount?): return .quarantine
        case (let recycling, _): return recycling
        }
    }

    /// The session is returned only to a client that can make its token.
    private func signedUp(_ account: Account, _ verification: Verification, _ session: Session?) -> SignedUp {
        let digests = check.options.opening?.tokenDigests ?? []
        return SignedUp(
            account: account,
            verification: verification,
            session: session.flatMap { $0.belongs(to: account) && digests.contains($0.tokenDigest) ? $0 : nil }
        )
    }
}

public struct SignedUp: Hashable, Sendable {
    public let account: Account
    /// What signing up left, so that no response needs to read it again: by then another may have changed it.
    public let verification: Verification
    /// The session that it opened, if it was to open one that still exists.
    public let session: Session?

    public init(account: Account, verification: Verification, session: Session? = nil) {
        (self.account, self.verification, self.session) = (account, verification, session)
    }

    public var isNew: Bool { account.createdBy == verification.id }
}

/// What was decided about the number of a dormant account, under ``AccountPolicy/Recycling/ask``. Raw values are what
/// clients write and stores keep.
public enum DormantDecision: String, Sendable, CaseIterable {
    case signIn = "sign_in"
    /// It is somebody else, or wants to start over.
    case newAccount = "new_account"
}
