public import PhoneDomain

extension PostgreSQLStore: ErasureStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        let (erasure, unreadable) = try await transact { try $0.erase(command) }
        for row in unreadable { observer?.observe(row) }
        if !erasure.isEmpty { observer?.observe(command.entry) }
        return erasure
    }

    /// The tables in which there may be something of a person.
    public static let tablesOfPeople = [
        "verification", "outbox_message", "event", "account", "account_number", "session", "number_change",
        "number_activity", "signup", "safe_number", "rate_meter", "guard_rule", "idempotent_request", "audit_entry",
    ]

    /// Takes what was deleted out of the tables' rows (https://www.postgresql.org/docs/current/sql-vacuum.html), while
    /// others read and write.
    ///
    /// What else the server keeps is out of reach: free space in pages that is not overwritten yet, which VACUUM FULL gives back
    /// while it shuts everybody out; the write-ahead log until it is recycled, its archive, standbys and backups.
    ///
    /// - Throws: ``PostgreSQLStoreError`` also where the role may not: the server then skips the table with a warning.
    public func removeTraces() async throws {
        try await alone { connection in
            let refused = try connection.exchange([
                .once(
                    """
                    SELECT min(relname::text) FROM pg_class
                    WHERE oid IN (\(Self.tablesOfPeople.map { "'\($0)'::regclass" }.joined(separator: ", ")))
                    AND NOT CASE WHEN current_setting('server_version_num')::integer < 170000
                        THEN pg_has_role(relowner, 'USAGE') ELSE has_table_privilege(oid, 'MAINTAIN') END
                    AND NOT pg_has_role((SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE')
                    """
                )
            ]).last?.rows(of: "pg_class", plans: .builtIn) { (row) throws(PostgreSQLStoreError) in
                row.nextOptionalText()
            }
            if let table = refused?.first ?? nil {
                throw PostgreSQLStoreError.failed(
                    sqlState: "42501",
                    reason: "only the owner of the table \(table) may vacuum it"
                )
            }
            for table in Self.tablesOfPeople { _ = try connection.exchange([.once("VACUUM \(table)")]) }
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
        let (inMetadata, unreadableAccounts) = try eraseFromMetadata(command)
        erasure.metadata = inMetadata
        erasure.activities = try run("DELETE FROM number_activity WHERE e164 = $1", [e164])
        if !erasure.isEmpty { try run(AuditEntryTable.inserts([command.entry])) }
        let unreadable =
            signups.unreadable.map { UnreadableRow(table: SignupTable.name, key: $0) }
            + unreadableEntries.map { UnreadableRow(table: AuditEntryTable.name, key: "\($0)") }
            + unreadableAccounts.map { UnreadableRow(table: AccountTable.name, key: $0) }
        return (erasure, unreadable)
    }

    /// Other accounts with the number in their metadata are found by reading all metadata.
    ///
    /// - Returns: how many had, and the keys of accounts that cannot be read.
    private func eraseFromMetadata(_ command: EraseNumber) throws -> (Int, unreadable: [String]) {
        var (count, last) = (0, "")
        var allUnreadable: [String] = []
        while true {
            let (page, unreadable) = try readable(
                """
                SELECT \(AccountTable.columnNames) FROM account
                WHERE id > $1 AND metadata <> '{}' ORDER BY id LIMIT 1000
                """,
                [.text(last)],
                of: AccountTable.name
            ) { (row) throws(PostgreSQLStoreError) in try AccountTable.read(&row) }
            allUnreadable += unreadable
            guard let end = (page.map(\.key) + unreadable).max() else { return (count, allUnreadable) }
            for (key, account) in page {
                guard let redacted = command.redacted(account) else { continue }
                let changed = try run(
                    "UPDATE account SET metadata = $2 WHERE id = $1 AND metadata = $3",
                    [.text(key), .text(redacted.metadata.json), .text(account.metadata.json)]
                )
                guard changed == 1 else { throw PostgreSQLStoreError.overtaken }
                count += 1
            }
            last = end
        }
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
