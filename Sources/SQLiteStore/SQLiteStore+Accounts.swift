public import PhoneDomain

extension SQLiteStore: AccountStore {
    public func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome {
        try await write { tables in
            let loaded = try tables.sessions.signedIn(command.token.sessionID)
            var state = RefreshSession.State(session: loaded?.session, account: loaded?.account)
            let outcome = try command.apply(to: &state)
            try tables.accounts.save(state.account, loaded: loaded?.account, at: command.now)
            try tables.sessions.save(state.session, loaded: loaded?.session)
            try tables.audit.append(state.audit)
            return outcome
        }
    }

    public func signedIn(_ id: Session.ID) async throws -> SignedIn? {
        try await read { try $0.sessions.signedIn(id) }
    }

    public func account(of number: PhoneNumber) async throws -> Account? {
        try await read { try $0.accounts.find(e164: number.e164) }
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await read { try $0.sessions.all(of: id, at: now, limit: limit) }
    }

    public func end(_ command: EndSessions) async throws -> Int {
        try await write { tables in
            var state = EndSessions.State(
                account: try tables.accounts.find(command.accountID),
                sessions: try tables.sessions.all(of: command.accountID)
            )
            let count = try command.apply(to: &state)
            _ = try tables.sessions.delete(state.ended)
            try tables.audit.append(state.audit)
            return count
        }
    }

    public func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure> {
        try await write { tables in
            let loaded = try tables.sessions.signedIn(command.sessionID)
            var state = UpdateAccount.State(signedIn: loaded)
            let outcome = command.apply(to: &state)
            try tables.accounts.save(state.signedIn?.account, loaded: loaded?.account, at: command.now)
            return outcome
        }
    }

    public func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure> {
        try await write { tables in
            let loaded = try tables.sessions.signedIn(command.sessionID)
            var state = RequestDeletion.State(signedIn: loaded)
            let outcome = try command.apply(to: &state)
            try tables.accounts.save(state.signedIn?.account, loaded: loaded?.account, at: command.now)
            if state.endsSessions, let id = loaded?.account.id { _ = try tables.sessions.delete(of: id) }
            try tables.audit.append(state.audit)
            return outcome
        }
    }

    public func record(_ entry: AuditEntry) async throws {
        try await write { try $0.audit.append(entry) }
    }

    public func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome {
        try await write { tables in
            let check = try tables.state(of: command.check)
            let session = try command.sessionID.flatMap(tables.sessions.find)
            let account = try session.flatMap { try tables.accounts.find($0.accountID) }
            let holder = try check.verification.flatMap { try tables.accounts.find(e164: $0.phoneNumber.e164) }
            let changes = try account.map { try tables.changes.all(of: $0.id) } ?? []
            var state = ChangeNumber.State(
                check: check,
                session: session,
                account: account,
                holder: holder,
                changes: changes
            )
            let outcome = try command.apply(to: &state)
            // The one that loses the number before the one that gets it, and accounts before what refers to them.
            try tables.accounts.save(state.unlinked, loaded: holder, at: command.now)
            try tables.accounts.save(state.account, loaded: account, at: command.now)
            try tables.save(state.check, of: command.check, loaded: check)
            for (change, loaded) in zip(state.changes, changes) { try tables.changes.save(change, loaded: loaded) }
            if let change = state.change { try tables.changes.insert(change) }
            if let message = state.message { try tables.messages.insert(message) }
            try state.audit.forEach(tables.audit.append)
            return outcome
        }
    }

    public func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome {
        try await write { tables in
            let change = try tables.changes.find(undoDigest: command.digest)
            let changes = try change.map { try tables.changes.all(of: $0.accountID, since: $0.changedAt) } ?? []
            let account = try change.flatMap { try tables.accounts.find($0.accountID) }
            let holder = try change?.oldNumber.flatMap { try tables.accounts.find(e164: $0.e164) }
            var state = UndoNumberChange.State(change: change, changes: changes, account: account, holder: holder)
            let outcome = try command.apply(to: &state)
            try tables.accounts.save(state.unlinked, loaded: holder, at: command.now)
            try tables.accounts.save(state.account, loaded: account, at: command.now)
            for (change, loaded) in zip(state.changes, changes) { try tables.changes.save(change, loaded: loaded) }
            if state.endsSessions, let account { _ = try tables.sessions.delete(of: account.id) }
            try state.audit.forEach(tables.audit.append)
            return outcome
        }
    }

    public func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await read { try $0.changes.find(undoDigest: undoDigest) }
    }

    public func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try await read { try $0.accounts.due(at: now, limit: limit) }
    }

    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try await read { tables in
            guard let account = try tables.accounts.find(id) else { return nil }
            return try tables.personalData(of: account, digests: account.phoneNumber.map(digests) ?? [])
        }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        try await write { tables in
            try tables.sessions.purge(before: moment, limit: limit)
                + tables.changes.purge(before: moment, limit: limit)
        }
    }
}

extension Tables {
    fileprivate func personalData(of account: Account, digests: [NumberDigest]) throws -> PersonalData {
        let found = try verifications.concerning(account).filter { PersonalData.covers($0, of: account) }
        let ids = Set(found.map(\.id))
        let known = ids.union([account.createdBy])
        let concerning = try audit.concerning(known, digests)
        guard concerning.unreadable.isEmpty else {
            throw SQLiteStoreError.unreadable(table: AuditEntryTable.name, column: 0)
        }
        let entries = concerning.places.filter { PersonalData.covers($0.entry, of: known, digests, account) }
        return PersonalData(
            account: account,
            sessions: try sessions.all(of: account.id),
            changes: try changes.all(of: account.id),
            verifications: found.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) },
            messages: try messages.all(of: ids)
                .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) },
            signups: try signups.all(of: ids)
                .sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) },
            activity: try account.phoneNumber.map { try activities.find(e164: $0.e164) } ?? .none,
            events: try events.all(about: .account(account.id)),
            audit: entries.sorted { $0.cursor < $1.cursor }.map(\.entry)
        )
    }
}
