public import PhoneDomain

/// What changes an account takes part in batches, as signups do, so that none of them overlooks the other.
extension PostgreSQLStore: AccountStore {
    public func refresh(_ command: RefreshSession) async throws -> RefreshSession.Outcome {
        var keys = RowKeys()
        keys.sessions = [command.token.sessionID.description]
        return try await change(needing: keys) { rows in
            let session = try rows.accounts.session(command.token.sessionID)
            let account = try session.flatMap { try rows.accounts.account($0.accountID) }
            var state = RefreshSession.State(session: session, account: account)
            let outcome = try command.apply(to: &state)
            rows.keep(state.account, loaded: account, at: command.now)
            rows.keep(state.session, loaded: session)
            rows.append(state.audit)
            return outcome
        }
    }

    public func signedIn(_ id: Session.ID) async throws -> SignedIn? {
        try await read(
            """
            SELECT \(SessionTable.columnNames), \(AccountTable.columnNames)
            FROM session JOIN account ON account.id = account_id WHERE session.id = $1
            """,
            [.text(id.description)],
            of: SessionTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            let session = try SessionTable.read(&row).value
            return SignedIn(session: session, account: try AccountTable.read(&row).value)
        }
        .first
    }

    public func account(of number: PhoneNumber) async throws -> Account? {
        try await read(
            AccountTable.self,
            "WHERE id = ANY(ARRAY(SELECT account_id FROM account_number WHERE account_number.e164 = $1))",
            [.text(number.e164)]
        ).first
    }

    public func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session] {
        try await read(
            SessionTable.self,
            "WHERE account_id = $1 AND least(expires_at, idle_until) > $2 ORDER BY created_at DESC, id LIMIT $3",
            [.text(id.description), .integer(now.milliseconds), .integer(max(0, limit))]
        )
    }

    public func end(_ command: EndSessions) async throws -> Int {
        var keys = RowKeys()
        keys.accountsWithSessions = [command.accountID.description]
        return try await change(needing: keys) { rows in
            let sessions = try rows.accounts.sessions(of: command.accountID)
            var state = EndSessions.State(account: try rows.accounts.account(command.accountID), sessions: sessions)
            let count = try command.apply(to: &state)
            rows.end(sessions.filter { state.ended.contains($0.id) })
            rows.append(state.audit)
            return count
        }
    }

    public func update(_ command: UpdateAccount) async throws -> Result<Account, PhoneFailure> {
        var keys = RowKeys()
        keys.sessions = [command.sessionID.description]
        return try await change(needing: keys) { rows in
            let signedIn = try rows.accounts.signedIn(command.sessionID)
            var state = UpdateAccount.State(signedIn: signedIn)
            let result = command.apply(to: &state)
            rows.keep(state.signedIn?.account, loaded: signedIn?.account, at: command.now)
            return result
        }
    }

    public func requestDeletion(_ command: RequestDeletion) async throws -> Result<Account, PhoneFailure> {
        var keys = RowKeys()
        keys.sessionsWithOthers = [command.sessionID.description]
        return try await change(needing: keys) { rows in
            let signedIn = try rows.accounts.signedIn(command.sessionID)
            var state = RequestDeletion.State(signedIn: signedIn)
            let result = try command.apply(to: &state)
            rows.keep(state.signedIn?.account, loaded: signedIn?.account, at: command.now)
            if state.endsSessions, let signedIn { rows.end(try rows.accounts.sessions(of: signedIn.account.id)) }
            rows.append(state.audit)
            return result
        }
    }

    public func record(_ entry: AuditEntry) async throws {
        try await change(needing: RowKeys()) { $0.append(entry) }
    }

    public func changeNumber(_ command: ChangeNumber) async throws -> ChangeNumber.Outcome {
        let sessionID = command.sessionID
        var keys = RowKeys()
        keys.checkedVerifications = [command.check.id.description]
        keys.provenVerifications = [command.check.id.description]
        keys.sessions = Set([sessionID?.description].compactMap(\.self))
        keys.need(meters: command.check.limitRules)
        return try await change(needing: keys) { rows in
            let check = try rows.state(of: command.check)
            let session = try sessionID.flatMap { try rows.accounts.session($0) }
            let account = try session.flatMap { try rows.accounts.account($0.accountID) }
            let holder = try check.verification.flatMap { try rows.accounts.account(holding: $0.phoneNumber) }
            let changes = try account.map { try rows.accounts.numberChanges(of: $0.id) } ?? []
            var state = ChangeNumber.State(
                check: check,
                session: session,
                account: account,
                holder: holder,
                changes: changes
            )
            let outcome = try command.apply(to: &state)
            rows.keep(state.unlinked, loaded: holder, at: command.now)
            rows.keep(state.account, loaded: account, at: command.now)
            try rows.keep(state.check, of: command.check, loaded: check)
            for (change, loaded) in zip(state.changes, changes) where change != loaded { rows.accounts.keep(change) }
            if let change = state.change { rows.accounts.keep(change) }
            if let message = state.message { rows.messages.keep(message, under: message.id.description) }
            rows.append(state.audit)
            return outcome
        }
    }

    public func undo(_ command: UndoNumberChange) async throws -> UndoNumberChange.Outcome {
        // What is asked for by it never changes: the account, and the number of before.
        let found = try await numberChange(undoDigest: command.digest)
        var keys = RowKeys()
        if let found {
            keys.accountsWithSessions = [found.accountID.description]
            keys.accountsWithChanges = [found.accountID.description]
            keys.numberChanges = [found.id.description]
            keys.holders = Set([found.oldNumber?.e164].compactMap(\.self))
        }
        return try await change(needing: keys) { rows in
            let change = try found.flatMap { try rows.accounts.numberChange($0.id) }
            let account = try change.flatMap { try rows.accounts.account($0.accountID) }
            let holder = try change?.oldNumber.flatMap { try rows.accounts.account(holding: $0) }
            let changes = try change.map { change in
                try rows.accounts.numberChanges(of: change.accountID).filter { $0.changedAt >= change.changedAt }
            }
            var state = UndoNumberChange.State(
                change: change,
                changes: changes ?? [],
                account: account,
                holder: holder
            )
            let outcome = try command.apply(to: &state)
            rows.keep(state.unlinked, loaded: holder, at: command.now)
            rows.keep(state.account, loaded: account, at: command.now)
            for (change, loaded) in zip(state.changes, changes ?? []) where change != loaded {
                rows.accounts.keep(change)
            }
            if state.endsSessions, let account { rows.end(try rows.accounts.sessions(of: account.id)) }
            rows.append(state.audit)
            return outcome
        }
    }

    public func numberChange(undoDigest: [UInt8]) async throws -> NumberChange? {
        try await read(NumberChangeTable.self, "WHERE undo_digest = $1", [.bytes(undoDigest)]).first
    }

    public func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID] {
        try await read(
            "SELECT id FROM account WHERE deletion_due_at <= $1 ORDER BY deletion_due_at, id LIMIT $2",
            [.integer(now.milliseconds), .integer(max(0, limit))],
            of: AccountTable.name
        ) { (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: Account.ID.init) }
    }

    public func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int {
        let arguments: [Argument] = [.integer(moment.milliseconds), .integer(max(0, limit))]
        return try await transact { transaction in
            let counts = try transaction.run([
                Query(
                    Self.purge(
                        "session",
                        where: "least(expires_at, idle_until) < $1",
                        by: "least(expires_at, idle_until), id"
                    ),
                    arguments
                ),
                Query(
                    Self.purge("number_change", where: "undoable_until < $1", by: "undoable_until, id"),
                    arguments
                ),
            ])
            return counts.reduce(0, +)
        }
    }
}
