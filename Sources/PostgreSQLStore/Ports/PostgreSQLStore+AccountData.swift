public import PhoneDomain

extension PostgreSQLStore {
    public func delete(_ command: DeleteAccount) async throws -> Bool {
        guard let unreadable = try await transact({ try $0.delete(command) }) else { return false }
        observer?.observe(command.entry)
        report(unreadable, of: AuditEntryTable.name)
        return true
    }

    public func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData? {
        try await transact { try $0.personalData(of: id, digests: digests) }
    }
}

extension Transaction {
    /// - Returns: the audit entries that could not be read; nil if the account is not to be deleted.
    fileprivate func delete(_ command: DeleteAccount) throws -> [String]? {
        let rows = try locked { try personalRows(of: command) }
        guard rows.account != nil, let account = try account(command.id) else { return nil }
        let digests = try command.digests(of: account)
        let entries = try auditEntries(of: rows.auditedVerifications, digests)
        try unlink(
            entries.values.filter { command.covers($0.entry, of: rows.auditedVerifications, digests, account) },
            unreadable: entries.unreadable
        )
        try run(SignupTable.deletes(signups(of: rows.verifications).map(\.key)))
        _ = try delete(
            rows,
            subjects: command.subjects(verifications: rows.verifications, messages: rows.messages)
        )
        try run(AuditEntryTable.inserts([command.entry]))
        return entries.unreadable.map { "\($0)" }
    }

    /// Nothing, if the account is not to be deleted.
    private func personalRows(of command: DeleteAccount) throws -> PersonalRows {
        var rows = PersonalRows()
        guard let account = try account(command.id), command.covers(account) else { return rows }
        rows.account = PersonalRows.Holder(
            id: account.id,
            createdBy: account.createdBy,
            e164: account.phoneNumber?.e164
        )
        rows.verifications = Set(
            try verifications(of: account).filter { command.covers($0, of: account) }.map(\.id)
        )
        rows.numberChanges = Set(try numberChanges(of: account.id).map(\.id))
        rows.messages = try messages(of: rows.verifications, rows.numberChanges)
        return rows
    }

    fileprivate func personalData(
        of id: Account.ID,
        digests: (PhoneNumber) throws -> [NumberDigest]
    ) throws -> PersonalData? {
        // Every statement sees what the first one does.
        try run([.once("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY")])
        guard let account = try account(id) else { return nil }
        let covered = try verifications(of: account).filter { PersonalData.covers($0, of: account) }
        let ids = Set(covered.map(\.id))
        let (known, digests) = (ids.union([account.createdBy]), try account.phoneNumber.map(digests) ?? [])
        let number = Argument.text(account.phoneNumber?.e164)
        let trail = try auditEntries(of: known, digests)
        guard trail.unreadable.isEmpty else {
            throw PostgreSQLStoreError.unreadable(table: AuditEntryTable.name, column: 0)
        }
        return PersonalData(
            account: account,
            sessions: try all(
                SessionTable.self,
                "WHERE account_id = $1 ORDER BY created_at DESC, id",
                [.text(id.description)]
            ).map(\.value),
            changes: try numberChanges(of: id),
            verifications: covered,
            messages: try all(
                OutboxMessageTable.self,
                "WHERE verification_id = ANY($1) ORDER BY created_at, id",
                [.texts(ids.map(\.description))]
            ).map(\.value),
            signups: try signups(of: ids).map(\.value),
            activity: try all(NumberActivityTable.self, "WHERE e164 = $1", [number]).first?.value ?? .none,
            events: try all(
                EventTable.self,
                "WHERE subject = $1 AND \(EventTable.isKnown) ORDER BY occurred_at, id",
                [.text(EventSubject.account(id).description)]
            ).map(\.value),
            audit: trail.values.map(\.entry)
                .filter { PersonalData.covers($0, of: known, digests, account) }
        )
    }

    private func account(_ id: Account.ID) throws -> Account? {
        try all(AccountTable.self, "WHERE id = $1", [.text(id.description)]).first?.value
    }

    /// Those that were used for the account, those of its number, and the one that made it; oldest first.
    private func verifications(of account: Account) throws -> [Verification] {
        try all(
            VerificationTable.self,
            """
            WHERE id = ANY(
                ARRAY(SELECT id FROM verification WHERE consumed_by = $1)
                || ARRAY(SELECT id FROM verification WHERE e164 = $2) || ARRAY[$3]
            ) ORDER BY created_at, id
            """,
            [
                .text(account.id.description), .text(account.phoneNumber?.e164),
                .text(account.createdBy.description),
            ]
        ).map(\.value)
    }

    /// Oldest first.
    private func numberChanges(of id: Account.ID) throws -> [NumberChange] {
        try all(NumberChangeTable.self, "WHERE account_id = $1 ORDER BY changed_at, id", [.text(id.description)])
            .map(\.value)
    }

    /// Guided signups with one of these verifications, oldest first.
    private func signups(of verifications: Set<Verification.ID>) throws -> [(key: String, value: Signup)] {
        try all(
            SignupTable.self,
            "WHERE verification_id = ANY($1) ORDER BY created_at, id",
            [.texts(verifications.map(\.description))]
        )
    }
}
