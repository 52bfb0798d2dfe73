public import PhoneDomain

extension MemoryStore: AccountStore {
    public func refresh(_ command: RefreshSession) throws -> RefreshSession.Outcome {
        try reach()
        let session = sessions[command.token.sessionID]
        var state = RefreshSession.State(session: session, account: session.flatMap { accounts[$0.accountID] })
        let outcome = try command.apply(to: &state)
        keep(state.account, at: command.now)
        sessions[command.token.sessionID] = state.session
        keep(state.audit)
        return outcome
    }

    public func signedIn(_ id: Session.ID) throws -> SignedIn? {
        try reach()
        return sessions[id].flatMap { session in
            accounts[session.accountID].map { SignedIn(session: session, account: $0) }
        }
    }

    public func account(of number: PhoneNumber) throws -> Account? {
        try reach()
        return accounts.values.first { $0.phoneNumber == number }
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) throws -> [Session] {
        try reach()
        return Array(sessions(of: id).filter { !$0.isOver(at: now) }.prefix(max(0, limit)))
    }

    private func sessions(of id: Account.ID) -> [Session] {
        sessions.values.filter { $0.accountID == id }
            .sorted { ($1.createdAt, $0.id.description) < ($0.createdAt, $1.id.description) }
    }

    public func end(_ command: EndSessions) throws -> Int {
        try reach()
        var state = EndSessions.State(
            account: accounts[command.accountID],
            sessions: sessions(of: command.accountID)
        )
        let count = try command.apply(to: &state)
        for id in state.ended { sessions[id] = nil }
        keep(state.audit)
        return count
    }

    public func update(_ command: UpdateAccount) throws -> Result<Account, PhoneFailure> {
        try reach()
        var state = UpdateAccount.State(signedIn: try signedIn(command.sessionID))
        let outcome = command.apply(to: &state)
        keep(state.signedIn?.account, at: command.now)
        return outcome
    }

    public func requestDeletion(_ command: RequestDeletion) throws -> Result<Account, PhoneFailure> {
        try reach()
        var state = RequestDeletion.State(signedIn: try signedIn(command.sessionID))
        let outcome = try command.apply(to: &state)
        keep(state.signedIn?.account, at: command.now)
        if state.endsSessions { endSessions(of: state.signedIn?.account) }
        keep(state.audit)
        return outcome
    }

    private func endSessions(of account: Account?) {
        _ = remove(from: &sessions) { $0.accountID == account?.id }
    }

    public func record(_ entry: AuditEntry) throws {
        try reach()
        keep(entry)
    }

    public func changeNumber(_ command: ChangeNumber) throws -> ChangeNumber.Outcome {
        try reach()
        let session = command.sessionID.flatMap { sessions[$0] }
        let check = state(of: command.check)
        var state = ChangeNumber.State(
            check: check,
            session: session,
            account: session.flatMap { accounts[$0.accountID] },
            holder: try check.verification.flatMap { try account(of: $0.phoneNumber) },
            changes: changes.values.filter { $0.accountID == session?.accountID }
        )
        let outcome = try command.apply(to: &state)
        keep(state.unlinked, at: command.now)
        keep(state.account, at: command.now)
        keep(state.check, of: command.check)
        for change in state.changes + [state.change].compactMap(\.self) { changes[change.id] = change }
        if let message = state.message { messages[message.id] = message }
        for entry in state.audit { keep(entry) }
        return outcome
    }

    public func undo(_ command: UndoNumberChange) throws -> UndoNumberChange.Outcome {
        try reach()
        let change = try numberChange(undoDigest: command.digest)
        var state = UndoNumberChange.State(
            change: change,
            changes: changes.values.filter { other in
                change.map { other.accountID == $0.accountID && other.changedAt >= $0.changedAt } ?? false
            },
            account: change.flatMap { accounts[$0.accountID] },
            holder: try change?.oldNumber.flatMap { try account(of: $0) }
        )
        let outcome = try command.apply(to: &state)
        keep(state.unlinked, at: command.now)
        keep(state.account, at: command.now)
        for change in state.changes { changes[change.id] = change }
        if state.endsSessions { endSessions(of: state.account) }
        for entry in state.audit { keep(entry) }
        return outcome
    }

    public func numberChange(undoDigest: [UInt8]) throws -> NumberChange? {
        try reach()
        return changes.values.first { $0.undoDigest == undoDigest }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) throws -> Int {
        try reach()
        let over = sessions.values.filter { $0.end < moment }
            .sorted { ($0.end, $0.id.description) < ($1.end, $1.id.description) }
            .prefix(max(0, limit))
        let closed = changes.values.filter { $0.undoableUntil < moment }
            .sorted { ($0.undoableUntil, $0.id.description) < ($1.undoableUntil, $1.id.description) }
            .prefix(max(0, limit))
        for session in over { sessions[session.id] = nil }
        for change in closed { changes[change.id] = nil }
        return over.count + closed.count
    }
}

extension MemoryStore {
    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) throws -> PersonalData? {
        try reach()
        guard let account = accounts[id] else { return nil }
        let covered = verifications.values.filter { PersonalData.covers($0, of: account) }
        let ids = Set(covered.map(\.id))
        let digests = try account.phoneNumber.map(digests) ?? []
        let known = ids.union([account.createdBy])
        return PersonalData(
            account: account,
            sessions: sessions(of: id),
            changes: changes.values.filter { $0.accountID == id }
                .sorted { ($0.changedAt, $0.id.description) < ($1.changedAt, $1.id.description) },
            verifications: covered.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) },
            messages: outbox.filter { ids.contains($0.verificationID) },
            signups: signups.values.filter { $0.verificationID.map(ids.contains) ?? false }
                .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) },
            activity: account.phoneNumber.flatMap { activities[$0.e164] } ?? .none,
            events: events.values.filter { $0.subject == .account(id) }
                .sorted { ($0.occurredAt, $0.id.description) < ($1.occurredAt, $1.id.description) },
            audit: audit.filter { PersonalData.covers($0.entry, of: known, digests, account) }
                .sorted { $0.cursor < $1.cursor }
                .map(\.entry)
        )
    }

    public func dueAccounts(at now: Timestamp, limit: Int) throws -> [Account.ID] {
        try reach()
        return accounts.values.filter { $0.isDue(at: now) }
            .map { (due: $0.deletionDueAt ?? now, id: $0.id) }
            .sorted { ($0.due, $0.id.description) < ($1.due, $1.id.description) }
            .prefix(max(0, limit))
            .map(\.id)
    }

    public func delete(_ command: DeleteAccount) throws -> Bool {
        try reach()
        guard let account = accounts[command.id], command.covers(account) else { return false }
        let ids = Set(verifications.values.filter { command.covers($0, of: account) }.map(\.id))
        let goneChanges = Set(changes.values.filter { $0.accountID == account.id }.map(\.id))
        let gone = messages.values
            .filter { ids.contains($0.verificationID) || $0.numberChangeID.map(goneChanges.contains) ?? false }
            .map(\.id)
        let digests = try command.digests(of: account)
        let known = ids.union([account.createdBy])
        for index in audit.indices where command.covers(audit[index].entry, of: known, digests, account) {
            audit[index].entry = audit[index].entry.unlinked
        }
        let subjects = command.subjects(verifications: ids, messages: gone)
        _ = remove(from: &events) { subjects.contains($0.subject) }
        _ = remove(from: &requests) { $0.answer?.verificationID.map(ids.contains) ?? false }
        _ = remove(from: &signups) { $0.verificationID.map(ids.contains) ?? false }
        _ = remove(from: &messages) { gone.contains($0.id) }
        _ = remove(from: &changes) { goneChanges.contains($0.id) }
        _ = remove(from: &verifications) { ids.contains($0.id) }
        _ = remove(from: &sessions) { $0.accountID == account.id }
        accounts[account.id] = nil
        keep(command.entry)
        return true
    }
}
