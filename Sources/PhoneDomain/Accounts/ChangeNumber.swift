/// Checks a code and uses the approval at once: gives the session's account the number that the code proves, and tells the
/// old number how to undo it.
///
/// One atomic operation of the store. A caller with the session's access token and no code, or a wrong one, finds no
/// approval to use before the one who brought the right code. Of two accounts that have proven one number at once the
/// first gets it; the other is refused, and keeps its own.
public struct ChangeNumber: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// What the check reads and writes, the verification among it.
        public var check: CheckVerification.State
        /// The session that asks (``ChangeNumber/sessionID``), or nil if there is none of that name.
        public let session: Session?
        /// The session's account, or nil if it is gone.
        public var account: Account?
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
        /// The lines for the audit trail after that of the check, set by the command.
        public var audit: [AuditEntry] = []

        /// The state before the command.
        public init(
            check: CheckVerification.State,
            session: Session?,
            account: Account?,
            holder: Account?,
            changes: [NumberChange]
        ) {
            self.check = check
            self.session = session
            self.account = account
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

    /// The check of the code. Its context says which session asks, and from where.
    public let check: CheckVerification
    /// The name of the change.
    public let changeID: NumberChange.ID
    /// The digest of the secret that undoes it (``UndoTokens/make(for:)``).
    public let undoDigest: [UInt8]
    /// The name of the notice.
    public let messageID: OutboxMessage.ID
    /// The language of the notice: not that of the request, since whoever asks may be a thief.
    public let language: LanguageTag
    /// The rules of accounts.
    public let accountPolicy: AccountPolicy
    /// The trace that the request belongs to, and its message with it.
    public let traceParent: TraceParent?

    /// A change of these parts.
    public init(
        check: CheckVerification,
        changeID: NumberChange.ID,
        undoDigest: [UInt8],
        messageID: OutboxMessage.ID,
        language: LanguageTag,
        accountPolicy: AccountPolicy,
        traceParent: TraceParent? = .current
    ) {
        self.check = check
        self.changeID = changeID
        self.undoDigest = undoDigest
        self.messageID = messageID
        self.language = language
        self.accountPolicy = accountPolicy
        self.traceParent = traceParent
    }

    /// The session that asks, and that owns the verification; nil for an owner who is none.
    public var sessionID: Session.ID? { Session.ID(check.context.owner.rawValue) }

    /// The moment.
    public var now: Timestamp { check.now }

    /// Checks the code and changes the number, once. A client that lost the answer gets it again for
    /// ``Verification/repeatTime``, with the same code from the same address. What it leaves in the state must be kept in
    /// any case: where another account has the number, the approval stays, and is used with its code.
    ///
    /// - Throws: what ``CheckVerification/apply(to:)`` throws; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        // What is refused whatever the code is refused before it is compared, and costs no check.
        guard let session = state.session, var account = state.account,
            SignedIn(session: session, account: account).holds(at: now)
        else { return .refused(.notSignedIn) }
        if state.check.verification?.consumedBy != account.id, accountPolicy.isProofTooOld(of: session, at: now) {
            return .refused(.proofTooOld)
        }
        var verification: Verification
        switch try check.apply(to: &state.check, usingApproval: true) {
        case .approved(let approved): verification = approved
        case .mismatch(let compared): return .refused(.codeIncorrect(checksLeft: compared.checksLeft))
        case .refused(let failure): return .refused(failure)
        }
        guard verification.consumedBy == nil else {
            // Since then the account may have got another number.
            guard verification.consumedBy == account.id, account.phoneNumber == verification.phoneNumber else {
                return .refused(.verificationClosed)
            }
            return .changed(account)
        }
        if let holder = state.holder, holder.id != account.id {
            guard
                holder.isDue(at: now)
                    || accountPolicy.recycling == .quarantine && holder.isDormant(at: now, policy: accountPolicy)
            else { return .refused(.numberTaken) }
            var unlinked = holder
            unlinked.unlink(at: now, policy: accountPolicy)
            state.unlinked = unlinked
            state.audit.append(try entry(.unlink, verification.phoneNumber))
        }
        let (old, new) = (account.phoneNumber, verification.phoneNumber)
        verification.consume(for: account.id, by: CallerMark(check.context.address), at: now)
        state.check.verification = verification
        account.recordActivity(at: now)
        if old != new {
            account.take(new, at: now)
            var change = change(of: account, in: session, from: old, to: new)
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
            state.audit.append(try entry(.changeNumber, new))
            if let old { state.audit.append(try entry(.leaveNumber, old)) }
        }
        state.account = account
        return .changed(account)
    }

    private func change(
        of account: Account,
        in session: Session,
        from old: PhoneNumber?,
        to new: PhoneNumber
    ) -> NumberChange {
        NumberChange(
            id: changeID,
            accountID: account.id,
            sessionID: session.id,
            verificationID: check.id,
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
            verificationID: check.id,
            numberChangeID: change.id,
            createdAt: now,
            traceParent: traceParent
        )
    }

    private func entry(_ action: AuditEntry.Action, _ number: PhoneNumber) throws -> AuditEntry {
        try check.auditor.entry(action, number, check.id, at: now)
    }
}
