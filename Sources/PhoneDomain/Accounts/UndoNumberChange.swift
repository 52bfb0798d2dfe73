/// Gives an account the number back that it had before a change, at the wish of whoever has the message that told of it.
///
/// It may be that somebody else had made the change in a session that was not theirs. So every session of the account
/// ends, a deletion that was asked for is off, and what was changed after that change cannot be brought back.
public struct UndoNumberChange: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The change of that secret, or nil if there is none.
        public let change: NumberChange?
        /// The changes of its account that were made when it was or after it, itself among them.
        public var changes: [NumberChange]
        /// Its account, or nil if it is gone.
        public var account: Account?
        /// The account that holds the old number by now, or nil if none does.
        public let holder: Account?
        /// The other account that the number was taken from, set by the command. It must be kept before ``account``.
        public var unlinked: Account?
        /// Whether all sessions of the account are to be deleted, set by the command.
        public var endsSessions = false
        /// The lines for the audit trail, set by the command.
        public var audit: [AuditEntry] = []

        /// The state before the command.
        public init(change: NumberChange?, changes: [NumberChange], account: Account?, holder: Account?) {
            self.change = change
            self.changes = changes
            self.account = account
            self.holder = holder
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The account has its old number again.
        case undone(Account)
        /// It has not.
        case refused(PhoneFailure)
    }

    /// By what the change is found (``UndoTokens/digest(of:)``).
    public let digest: [UInt8]
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy
    /// Makes the digests by which the audit trail knows numbers.
    public let digester: any NumberDigester
    /// From where it is asked for.
    public let address: ClientAddress?
    /// The moment.
    public let now: Timestamp

    /// A wish of these parts.
    public init(
        digest: [UInt8],
        accountPolicy: AccountPolicy,
        digester: any NumberDigester,
        address: ClientAddress?,
        now: Timestamp
    ) {
        self.digest = digest
        self.accountPolicy = accountPolicy
        self.digester = digester
        self.address = address
        self.now = now
    }

    /// Undoes the change, or says why not.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard let change = state.change, change.isUndoable(at: now), let old = change.oldNumber,
            var account = state.account, account.id == change.accountID
        else { return .refused(.numberChangeNotFound) }
        // In the name of the session that made it: the one who asks is known by nothing but the link.
        let auditor = Auditor(digester: digester, owner: .session(change.sessionID), address: address)
        if let holder = state.holder, holder.id != account.id {
            // One that was made since may well be the very person's who asks: thrown out, they signed up anew. Any other has
            // proven the number since, and whoever asks may have the message of before.
            guard holder.createdAt >= change.changedAt else {
                return .refused(.numberTaken)
            }
            var unlinked = holder
            unlinked.unlink(at: now, policy: accountPolicy)
            state.unlinked = unlinked
            state.audit.append(try auditor.entry(.unlink, old, change.verificationID, at: now))
        }
        state.audit.append(try auditor.entry(.undoChange, old, change.verificationID, at: now))
        if let left = account.phoneNumber, left != old {
            state.audit.append(try auditor.entry(.leaveNumber, left, change.verificationID, at: now))
        }
        account.take(old, at: now)
        account.recordSignIn(at: now)
        state.account = account
        for index in state.changes.indices where state.changes[index].changedAt >= change.changedAt {
            state.changes[index].closedAt = state.changes[index].closedAt ?? now
        }
        state.endsSessions = true
        return .undone(account)
    }
}
