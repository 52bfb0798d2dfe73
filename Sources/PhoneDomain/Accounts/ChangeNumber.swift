/// Gives an account the number that one of its sessions has proven, and tells the old number how to undo it.
///
/// One atomic operation of the store. Of two accounts that have proven one number at once the first gets it; the other is
/// told so, and keeps its own.
public struct ChangeNumber: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The session, or nil if there is none of that name.
        public let session: Session?
        /// The session's account, or nil if it is gone.
        public var account: Account?
        /// The verification, or nil if there is none of that name.
        public var verification: Verification?
        /// The account that holds the verification's number, or nil if none does; it may be ``account``.
        public let holder: Account?
        /// The account's changes of number that are kept; those that can no longer be undone are closed by the command.
        public var changes: [NumberChange]
        /// The other account that the number was taken from, set by the command. It must be kept before ``account``.
        public var unlinked: Account?
        /// The change to keep, set by the command.
        public var change: NumberChange?
        /// The notice to queue, set by the command.
        public var message: OutboxMessage?
        /// The lines for the audit trail, set by the command.
        public var audit: [AuditEntry] = []

        /// The state before the command.
        public init(
            session: Session?,
            account: Account?,
            verification: Verification?,
            holder: Account?,
            changes: [NumberChange]
        ) {
            self.session = session
            self.account = account
            self.verification = verification
            self.holder = holder
            self.changes = changes
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// The account holds the number.
        case changed(Account)
        /// It keeps the one that it had.
        case refused(PhoneFailure)
    }

    /// The session that asks, and that owns the verification.
    public let sessionID: Session.ID
    /// The verification by which it has proven the number.
    public let verificationID: Verification.ID
    /// From where it asks.
    public let address: ClientAddress?
    /// The name of the change.
    public let changeID: NumberChange.ID
    /// The digest of the secret that undoes it (``UndoTokens/make(for:)``).
    public let undoDigest: [UInt8]
    /// The name of the notice.
    public let messageID: OutboxMessage.ID
    /// The language of the notice: not that of the request, since whoever asks may be a thief.
    public let language: LanguageTag
    /// The rules of verifications.
    public let policy: VerificationPolicy
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy
    /// Writes the audit trail.
    public let auditor: Auditor
    /// The moment.
    public let now: Timestamp
    /// The trace that the request belongs to, and its message with it.
    public let traceParent: TraceParent?

    /// A change of these parts.
    public init(
        sessionID: Session.ID,
        verificationID: Verification.ID,
        address: ClientAddress?,
        changeID: NumberChange.ID,
        undoDigest: [UInt8],
        messageID: OutboxMessage.ID,
        language: LanguageTag,
        policy: VerificationPolicy,
        accountPolicy: AccountPolicy,
        auditor: Auditor,
        now: Timestamp,
        traceParent: TraceParent? = .current
    ) {
        self.sessionID = sessionID
        self.verificationID = verificationID
        self.address = address
        self.changeID = changeID
        self.undoDigest = undoDigest
        self.messageID = messageID
        self.language = language
        self.policy = policy
        self.accountPolicy = accountPolicy
        self.auditor = auditor
        self.now = now
        self.traceParent = traceParent
    }

    /// Changes the number, or says why not. One who did not hear the answer hears it again for a few seconds.
    ///
    /// - Throws: what ``NumberDigester/digest(of:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard let session = state.session, var account = state.account,
            SignedIn(session: session, account: account).holds(at: now)
        else { return .refused(.notSignedIn) }
        guard var verification = state.verification, verification.owner == .session(session.id) else {
            return .refused(.verificationNotFound)
        }
        let caller = CallerMark(address)
        if verification.consumedBy == account.id, account.phoneNumber == verification.phoneNumber,
            verification.isRepeatable(by: caller, at: now)
        {
            state.audit = [try auditor.entry(.repeatApproval, verification.phoneNumber, verification.id, at: now)]
            return .changed(account)
        }
        if accountPolicy.isProofTooOld(of: session, at: now) { return .refused(.proofTooOld) }
        if let refusal = verification.useRefusal(at: now, approvalTTL: policy.approvalTTL) { return .refused(refusal) }
        if let holder = state.holder, holder.id != account.id {
            guard
                holder.isDue(at: now)
                    || accountPolicy.recycling == .quarantine && holder.isDormant(at: now, policy: accountPolicy)
            else { return .refused(.numberTaken) }
            var unlinked = holder
            unlinked.unlink(at: now, policy: accountPolicy)
            state.unlinked = unlinked
            state.audit.append(try auditor.entry(.unlink, verification.phoneNumber, verification.id, at: now))
        }
        let (old, new) = (account.phoneNumber, verification.phoneNumber)
        verification.consume(for: account.id, by: caller, at: now)
        state.verification = verification
        account.recordActivity(at: now)
        if old != new {
            account.take(new, at: now)
            var change = change(of: account, from: old, to: new)
            if let undone = state.changes.filter({ $0.oldNumber == new && $0.isUndoable(at: now) }).min(by: isEarlier) {
                // It takes that change back, by a proof that is better than the link. Whoever has the number that it leaves
                // may be a thief, and must not have a link of their own.
                change.closedAt = now
                for index in state.changes.indices where !isEarlier(state.changes[index], undone) {
                    state.changes[index].closedAt = state.changes[index].closedAt ?? now
                }
            } else if old != nil {
                state.message = notice(of: change)
            }
            state.change = change
            state.audit.append(try auditor.entry(.changeNumber, new, verification.id, at: now))
            if let old { state.audit.append(try auditor.entry(.leaveNumber, old, verification.id, at: now)) }
        }
        state.account = account
        return .changed(account)
    }

    private func change(
        of account: Account,
        from old: PhoneNumber?,
        to new: PhoneNumber
    ) -> NumberChange {
        NumberChange(
            id: changeID,
            accountID: account.id,
            sessionID: sessionID,
            verificationID: verificationID,
            oldNumber: old,
            newNumber: new,
            language: language,
            changedAt: account.phoneNumberSince,
            undoableUntil: now + accountPolicy.undoTime,
            undoDigest: undoDigest
        )
    }

    private func isEarlier(_ one: NumberChange, _ other: NumberChange) -> Bool {
        one.changedAt < other.changedAt
    }

    private func notice(of change: NumberChange) -> OutboxMessage {
        OutboxMessage(
            id: messageID,
            verificationID: verificationID,
            numberChangeID: change.id,
            createdAt: now,
            traceParent: traceParent
        )
    }
}
