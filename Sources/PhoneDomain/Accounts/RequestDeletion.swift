/// Has an account deleted after a time of grace, at the wish of one of its sessions. All of its sessions end; signing in
/// again before that time is over takes it back.
public struct RequestDeletion: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The session and its account, or nil if one of them is gone.
        public var signedIn: SignedIn?
        /// Whether all sessions of the account are to be deleted, set by the command.
        public var endsSessions = false
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(signedIn: SignedIn?) {
            self.signedIn = signedIn
        }
    }

    /// The session that asks.
    public let sessionID: Session.ID
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy
    /// Writes the audit trail.
    public let auditor: Auditor
    /// The moment.
    public let now: Timestamp

    /// A wish of these parts.
    public init(sessionID: Session.ID, accountPolicy: AccountPolicy, auditor: Auditor, now: Timestamp) {
        self.sessionID = sessionID
        self.accountPolicy = accountPolicy
        self.auditor = auditor
        self.now = now
    }

    /// Marks the account, or says why not.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Result<Account, PhoneFailure> {
        guard let signedIn = state.signedIn, signedIn.session.id == sessionID, signedIn.holds(at: now) else {
            return .failure(.notSignedIn)
        }
        var account = signedIn.account
        // Whoever changed the number and has the account deleted may be a thief: what was changed can be undone first.
        let end = now + max(accountPolicy.deletionGrace, accountPolicy.undoTime)
        account.deletionDueAt = min(account.deletionDueAt ?? end, end)
        state.signedIn = SignedIn(session: signedIn.session, account: account)
        state.endsSessions = true
        state.audit = try auditor.entry(.requestDeletion, account.phoneNumber, nil, at: now)
        return .success(account)
    }
}
