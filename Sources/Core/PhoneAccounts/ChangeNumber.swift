public import PhoneDomain
public import PhoneSignup

/// Checks a code and uses the approval at once: gives the session's account the number that the code proves, and
/// notifies the old number how to undo it. Opens a session if the check's options say so, for a client that does not
/// show which session asks.
///
/// One atomic operation of the store. A client with the session's access token and no code, or a wrong one, finds no
/// approval to use before the one with the right code. Of two accounts that have proven one number at once the first
/// gets it; the other is refused, and keeps its own.
public struct ChangeNumber: Command {
    public struct State: Sendable {
        public var check: CheckVerification.State
        public let session: Session?
        /// The session that the verification has opened (``Session/id(openedBy:)``), if the options have an opening.
        public var opened: Session?
        public var account: Account?
        /// The account that has the verification's number, if one does; it may be ``account``.
        public let holder: Account?
        /// The account's stored changes of number; those that can no longer be undone are closed by the command.
        public var changes: [NumberChange]
        /// The other account that the number was taken from, set by the command. It must be saved before ``account``.
        public var unlinked: Account?
        public var change: NumberChange?
        public var message: OutboxMessage?
        public var audit: [AuditEntry] = []

        public init(
            check: CheckVerification.State,
            session: Session?,
            opened: Session?,
            account: Account?,
            holder: Account?,
            changes: [NumberChange]
        ) {
            (self.check, self.session, self.opened, self.account) = (check, session, opened, account)
            (self.holder, self.changes) = (holder, changes)
        }
    }

    /// The check of the code. Its context says which session asks, and from where.
    public let check: CheckVerification
    let changeID: NumberChange.ID
    /// The digest of the secret that undoes it (``UndoTokens/make(for:)``).
    let undoDigest: [UInt8]
    let messageID: OutboxMessage.ID
    /// The language of the notice: not that of the request, since its client may be a thief.
    let language: LanguageTag
    let accountPolicy: AccountPolicy
    let traceParent = TraceParent.current

    /// The session that asks, and that owns the verification, if the owner is one.
    public var sessionID: Session.ID? { check.context.owner.sessionID }
    public var now: Timestamp { check.now }

    /// Checks the code and changes the number, once. A client that lost the answer gets it again for
    /// ``Verification/repeatTime``, with the same code from the same address.
    /// Where another account has the number, the approval stays, and is used with its code.
    public func apply(to state: inout State) throws -> Result<Account, PhoneFailure> {
        // What is refused whatever the code is refused before it is compared, and costs no check.
        guard let session = state.session, var account = state.account,
            SignedIn(session: session, account: account).holds(at: now)
        else { return .failure(.notSignedIn) }
        if state.check.verification?.consumedBy != account.id {
            if accountPolicy.isProofTooOld(of: session, at: now) { return .failure(.proofTooOld) }
            if let refusal = refusal(of: state.changes) { return .failure(refusal) }
        }
        var verification: Verification
        switch try check.applyToUse(&state.check) {
        case .success(let approved): verification = approved
        case .failure(let refusal): return .failure(refusal)
        }
        guard verification.consumedBy == nil else {
            // Since then the account may have got another number.
            guard verification.consumedBy == account.id, account.phoneNumber == verification.phoneNumber
            else { return .failure(.verificationClosed) }
            return .success(account)
        }
        if let holder = state.holder, holder.id != account.id {
            guard
                holder.isDue(at: now)
                    || accountPolicy.recycling == .quarantine && holder.isDormant(at: now, policy: accountPolicy)
            else { return .failure(.numberTaken) }
            state.unlinked = holder.unlinked(at: now, policy: accountPolicy)
            state.audit.append(try check.auditor.entry(.unlink, verification.phoneNumber, check.id, at: now))
        }
        let (old, new) = (account.phoneNumber, verification.phoneNumber)
        verification.consume(for: account.id, by: ClientOrigin(check.context.address), at: now)
        state.check.verification = verification
        account.recordActivity(at: now)
        if old != new {
            account.take(new, at: now)
            var change = NumberChange(
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
            let reverted = state.changes.filter { $0.oldNumber == new && $0.isUndoable(at: now) }
            if let first = reverted.map(\.changedAt).min() {
                // The proof of the old number is better than the link. The owner of the number that the account leaves
                // may be a thief, and must not get a link of their own.
                change.closedAt = now
                state.changes.close(since: first, at: now)
            } else if old != nil {
                state.message = OutboxMessage(
                    id: messageID,
                    verificationID: check.id,
                    numberChangeID: changeID,
                    createdAt: now,
                    traceParent: traceParent
                )
            }
            state.change = change
            state.audit.append(try check.auditor.entry(.changeNumber, new, check.id, at: now))
            if let old { state.audit.append(try check.auditor.entry(.leaveNumber, old, check.id, at: now)) }
        }
        state.account = account
        state.opened = check.options.opening?.session(openedBy: check.id, of: account, at: now)
        return .success(account)
    }

    private func refusal(of changes: [NumberChange]) -> PhoneFailure? {
        let ends = changes.map(\.undoableUntil).filter { now < $0 }.sorted()
        guard ends.count >= NumberChange.most else { return nil }
        let policy = QuotaPolicy(
            name: "account-number-changes",
            quota: NumberChange.most,
            window: accountPolicy.undoTime
        )
        return .rateLimited(policies: [policy], retryAt: ends[ends.count - NumberChange.most])
    }
}

extension [NumberChange] {
    mutating func close(since moment: Timestamp, at now: Timestamp) {
        for index in indices where self[index].changedAt >= moment {
            self[index].closedAt = self[index].closedAt ?? now
        }
    }
}
