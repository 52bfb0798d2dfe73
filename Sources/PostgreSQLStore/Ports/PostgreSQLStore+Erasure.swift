public import PhoneDomain

extension PostgreSQLStore: ErasureStore {
    public func erase(_ command: EraseNumber) async throws -> Erasure {
        let erasure = try await transact { try $0.erase(command) }
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
                "verification", "outbox_message", "event", "account", "account_number", "number_activity", "signup",
                "rate_meter", "guard_rule", "idempotent_request", "audit_entry",
            ]
            for table in tables { _ = try connection.exchange([.once("VACUUM \(table)")]) }
        }
    }
}

extension Transaction {
    fileprivate func erase(_ command: EraseNumber) throws -> Erasure {
        let e164 = Argument.text(command.number.e164)
        // First whoever is at work on the number has to be done with it; see ``RowKeys/Lock``.
        try run("SELECT 1 FROM number_activity WHERE e164 = $1 FOR UPDATE", [e164])
        let messageIDs = try all(
            """
            SELECT id FROM outbox_message WHERE verification_id = ANY(ARRAY(SELECT id FROM verification WHERE e164 = $1))
            ORDER BY id FOR UPDATE
            """,
            [e164],
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: OutboxMessage.ID.init) }
        let ids = Set(
            try all("SELECT id FROM verification WHERE e164 = $1 ORDER BY id FOR UPDATE", [e164], of: "verification") {
                (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: Verification.ID.init)
            }
        )
        let account = try all(
            AccountTable.self,
            "WHERE id IN (SELECT account_id FROM account_number WHERE account_number.e164 = $1)",
            [e164]
        ).first?.value
        let subjects = command.subjects(verifications: ids, messages: messageIDs, account: account?.id)
        try run("DELETE FROM event WHERE subject = ANY($1)", [.texts(subjects.map(\.description))])
        var erasure = Erasure()
        // The one that made the account may be long gone, and its entries still there.
        let known = ids.union([account?.createdBy].compactMap(\.self))
        let places = try all(
            """
            SELECT \(AuditEntryTable.columnNames) FROM audit_entry
            WHERE verification_id = ANY($1) OR number_digest = ANY($2) ORDER BY id FOR UPDATE
            """,
            [.texts(known.map(\.description)), .texts(command.digests.map(\.description))],
            of: AuditEntryTable.name,
            read: AuditEntryTable.read
        )
        for place in places where command.covers(place.entry, of: known) {
            erasure.auditEntries += try run(
                """
                UPDATE audit_entry
                SET owner = $1, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
                WHERE id = $2
                """,
                [.text(place.entry.unlinked.owner?.rawValue), .integer(place.cursor.serial)]
            )
        }
        // Signups whose time is over are deleted soon, so that there are not many.
        for signup in try all(SignupTable.self, "ORDER BY id") where command.covers(signup.value, of: ids) {
            erasure.signups += try run("DELETE FROM signup WHERE id = $1", [.text(signup.key)])
        }
        let keys = try all(
            "SELECT key FROM rate_meter WHERE right(key, length($1)) = $1 ORDER BY key",
            [e164],
            of: RateMeterTable.name
        ) { (row) throws(PostgreSQLStoreError) in LimitKey(rawValue: try row.nextText()) }
        for key in keys where command.covers(key) {
            erasure.limitMeters += try run("DELETE FROM rate_meter WHERE key = $1", [.text(key.description)])
        }
        let rules = try all(
            GuardRuleTable.self,
            "WHERE prefix = ANY($1) ORDER BY prefix",
            [.texts(GuardRule.prefixes(of: command.number))]
        )
        for rule in rules where command.covers(rule.value) {
            erasure.guardRules += try run("DELETE FROM guard_rule WHERE prefix = $1", [.text(rule.key)])
        }
        erasure.answers = try run(
            """
            DELETE FROM idempotent_request WHERE name = ANY(ARRAY(
                SELECT name FROM idempotent_request WHERE verification_id = ANY($1) ORDER BY name FOR UPDATE
            ))
            """,
            [.texts(ids.map(\.description))]
        )
        erasure.messages = try run(
            "DELETE FROM outbox_message WHERE verification_id = ANY($1)",
            [.texts(ids.map(\.description))]
        )
        erasure.verifications = try run("DELETE FROM verification WHERE id = ANY($1)", [.texts(ids.map(\.description))])
        erasure.accounts = try run("DELETE FROM account WHERE id = $1", [.text(account?.id.description)])
        try run("DELETE FROM account_number WHERE e164 = $1", [e164])
        erasure.activities = try run("DELETE FROM number_activity WHERE e164 = $1", [e164])
        if !erasure.isEmpty { try run(AuditEntryTable.inserts([command.entry])) }
        return erasure
    }
}
