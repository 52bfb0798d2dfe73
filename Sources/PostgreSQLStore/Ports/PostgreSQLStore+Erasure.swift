public import PhoneDomain

extension PostgreSQLStore: ErasureStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        let (erasure, unreadable) = try await transact { try $0.erase(command) }
        for row in unreadable { observer?.observe(row) }
        if !erasure.isEmpty { observer?.observe(command.entry) }
        return erasure
    }

    /// Takes what was deleted out of the tables' pages (https://www.postgresql.org/docs/current/sql-vacuum.html), while
    /// others read and write.
    ///
    /// What else the server keeps is out of reach: free space in pages that are not overwritten yet, the write-ahead log
    /// until it is recycled, its archive, standbys and backups.
    public func removeTraces() async throws {
        try await alone { connection in
            let tables = [
                "verification", "outbox_message", "event", "account", "account_number", "session", "number_change",
                "number_activity", "signup", "safe_number", "rate_meter", "guard_rule", "idempotent_request",
                "audit_entry",
            ]
            for table in tables { _ = try connection.exchange([.once("VACUUM \(table)")]) }
        }
    }
}

extension Transaction {
    fileprivate func erase(_ command: EraseNumber) throws -> (Erasure, [UnreadableRow]) {
        let e164 = Argument.text(command.number.e164)
        // First whoever is at work on the number has to be done with it; see ``RowKeys/Lock``.
        try run("SELECT 1 FROM number_activity WHERE e164 = $1 FOR UPDATE", [e164])
        let rows = try locked { try personalRows(of: command.number) }
        let subjects = command.subjects(
            verifications: rows.verifications,
            messages: rows.messages,
            account: rows.account?.id
        )
        let (concerning, unreadableEntries) = try auditEntries(of: rows.auditedVerifications, command.digests)
        let entries = concerning.filter { command.covers($0.entry, of: rows.auditedVerifications) }
        try unlink(entries, unreadable: unreadableEntries)
        // Signups whose time is over are deleted soon, those that cannot be read among them, so that there are not many.
        let signups = try readable(
            "SELECT \(SignupTable.columnNames) FROM signup ORDER BY id",
            of: SignupTable.name
        ) { (row) throws(PostgreSQLStoreError) in try SignupTable.read(&row) }
        let covered = signups.values.filter { command.covers($0.value, of: rows.verifications) }
        let signupCount = try run(SignupTable.deletes(covered.map(\.key))).reduce(0, +)
        let keys = try all(
            "SELECT key FROM rate_meter WHERE right(key, length($1)) = $1 ORDER BY key",
            [e164],
            of: RateMeterTable.name
        ) { (row) throws(PostgreSQLStoreError) in LimitKey(rawValue: try row.nextText()) }
        var erasure = try delete(rows, subjects: subjects)
        erasure.auditEntries = entries.count + unreadableEntries.count
        erasure.signups = signupCount
        erasure.safeNumbers = try run("DELETE FROM safe_number WHERE e164 = $1", [e164])
        for key in keys where command.covers(key) {
            erasure.limitMeters += try run("DELETE FROM rate_meter WHERE key = $1", [.text(key.description)])
        }
        // Other rules that fit the number are of more numbers than this.
        erasure.guardRules = try run("DELETE FROM guard_rule WHERE prefix = $1", [e164])
        erasure.activities = try run("DELETE FROM number_activity WHERE e164 = $1", [e164])
        if !erasure.isEmpty { try run(AuditEntryTable.inserts([command.entry])) }
        let unreadable =
            signups.unreadable.map { UnreadableRow(table: SignupTable.name, key: $0) }
            + unreadableEntries.map { UnreadableRow(table: AuditEntryTable.name, key: "\($0)") }
        return (erasure, unreadable)
    }

    private func personalRows(of number: PhoneNumber) throws -> PersonalRows {
        let e164 = Argument.text(number.e164)
        var rows = PersonalRows()
        // No more of it than is needed, however the rest of the row may be.
        rows.account = try all(
            """
            SELECT id, created_by FROM account
            WHERE id = ANY(ARRAY(SELECT account_id FROM account_number WHERE account_number.e164 = $1))
            """,
            [e164],
            of: AccountTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            PersonalRows.Holder(
                id: try row.next(parsedBy: Account.ID.init),
                createdBy: try row.next(parsedBy: Verification.ID.init),
                e164: number.e164
            )
        }
        .first
        let account = Argument.text(rows.account?.id.description)
        rows.verifications = Set(
            try all(
                """
                SELECT id FROM verification WHERE id = ANY(
                    ARRAY(SELECT id FROM verification WHERE e164 = $1)
                    || ARRAY(SELECT id FROM verification WHERE consumed_by = $2)
                )
                """,
                [e164, account],
                of: VerificationTable.name
            ) { (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: Verification.ID.init) }
        )
        rows.numberChanges = Set(
            try all(
                """
                SELECT id FROM number_change WHERE id = ANY(
                    ARRAY(SELECT id FROM number_change WHERE old_e164 = $1)
                    || ARRAY(SELECT id FROM number_change WHERE new_e164 = $1)
                    || ARRAY(SELECT id FROM number_change WHERE account_id = $2)
                )
                """,
                [e164, account],
                of: NumberChangeTable.name
            ) { (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: NumberChange.ID.init) }
        )
        rows.messages = try messages(of: rows.verifications, rows.numberChanges)
        return rows
    }
}
