/// Ends sessions of an account at its holder's wish.
public struct EndSessions: Sendable {
    /// Which sessions.
    public enum Selection: Hashable, Sendable {
        /// One, if it is the account's.
        case one(Session.ID)
        /// Every one, the one that asks among them.
        case all
    }

    /// What the command reads and writes.
    public struct State: Sendable {
        /// The account, or nil if it is gone.
        public let account: Account?
        /// Its sessions, over or not.
        public let sessions: [Session]
        /// The names of those to be deleted, set by the command.
        public var ended: [Session.ID] = []
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(account: Account?, sessions: [Session]) {
            self.account = account
            self.sessions = sessions
        }
    }

    /// Whose.
    public let accountID: Account.ID
    /// Which.
    public let selection: Selection
    /// Writes the audit trail, in the name of the session that asks.
    public let auditor: Auditor
    /// The moment.
    public let now: Timestamp

    /// A wish of these parts.
    public init(accountID: Account.ID, selection: Selection, auditor: Auditor, now: Timestamp) {
        self.accountID = accountID
        self.selection = selection
        self.auditor = auditor
        self.now = now
    }

    /// Ends them.
    ///
    /// - Returns: how many were not over yet.
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Int {
        let chosen = state.sessions.filter { session in
            switch selection {
            case .one(let id): session.accountID == accountID && session.id == id
            case .all: session.accountID == accountID
            }
        }
        state.ended = chosen.map(\.id)
        let count = chosen.filter { !$0.isOver(at: now) }.count
        if count > 0 { state.audit = try auditor.entry(.signOut, state.account?.phoneNumber, nil, at: now) }
        return count
    }
}
