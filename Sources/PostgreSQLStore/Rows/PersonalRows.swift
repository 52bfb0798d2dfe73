import PhoneDomain

/// What goes with a person: found first, then locked in the order of ``RowKeys/Lock``, and found to be all of it.
struct PersonalRows: Equatable {
    /// As much of an account as its erasure needs.
    struct Holder: Equatable {
        let id: Account.ID
        let createdBy: Verification.ID
        /// Its number.
        let e164: String?
    }

    var account: Holder?
    var verifications: Set<Verification.ID> = []
    var numberChanges: Set<NumberChange.ID> = []
    var messages: Set<OutboxMessage.ID> = []

    /// Those whose entries in the audit trail are the person's: the one that made the account may be long gone, and its
    /// entries still there.
    var auditedVerifications: Set<Verification.ID> {
        verifications.union([account?.createdBy].compactMap(\.self))
    }
}

extension Transaction {
    /// Locks what is found. While it was waited for, something may have come or gone: then all begins anew.
    func locked(_ find: () throws -> PersonalRows) throws -> PersonalRows {
        let rows = try find()
        try run([
            Self.lock("outbox_message", "id", rows.messages.map(\.description)),
            Self.lock("verification", "id", rows.verifications.map(\.description)),
            Self.lock("account", "id", rows.accountNames),
            Self.lock("session", "account_id", rows.accountNames),
            Self.lock("number_change", "id", rows.numberChanges.map(\.description)),
        ])
        guard try find() == rows else { throw PostgreSQLStoreError.overtaken }
        return rows
    }

    private static func lock(_ table: String, _ column: String, _ keys: [String]) -> Query {
        Query("SELECT 1 FROM \(table) WHERE \(column) = ANY($1) ORDER BY id FOR UPDATE", [.texts(keys)])
    }

    /// The messages of verifications, and those that tell of changes.
    func messages(
        of verifications: Set<Verification.ID>,
        _ changes: Set<NumberChange.ID>
    ) throws -> Set<OutboxMessage.ID> {
        let ids = try all(
            """
            SELECT id FROM outbox_message WHERE id = ANY(
                ARRAY(SELECT id FROM outbox_message WHERE verification_id = ANY($1))
                || ARRAY(SELECT id FROM outbox_message WHERE number_change_id = ANY($2))
            )
            """,
            [.texts(verifications.map(\.description)), .texts(changes.map(\.description))],
            of: OutboxMessageTable.name
        ) { (row) throws(PostgreSQLStoreError) in try row.next(parsedBy: OutboxMessage.ID.init) }
        return Set(ids)
    }

    /// The entries of the audit trail about verifications or of numbers with these digests, in their order, and the numbers of
    /// those that cannot be read.
    func auditEntries(
        of verifications: Set<Verification.ID>,
        _ digests: [NumberDigest]
    ) throws -> (values: [AuditEntryTable.Place], unreadable: [Int64]) {
        let rows = try all(
            """
            SELECT \(AuditEntryTable.columnNames) FROM audit_entry
            WHERE verification_id = ANY($1) OR number_digest = ANY($2) ORDER BY id
            """,
            [.texts(verifications.map(\.description)), .texts(digests.map(\.description))],
            of: AuditEntryTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            var first = row
            return (serial: try first.nextInteger(), row: row.readable(AuditEntryTable.read))
        }
        let unreadable = rows.compactMap { if case .unreadable = $0.row { $0.serial } else { nil } }
        return (rows.map(\.row).split().values, unreadable)
    }

    /// - Parameter unreadable: the numbers of entries that cannot be read, out of which whatever may tell of a person is taken.
    func unlink(_ places: [AuditEntryTable.Place], unreadable: [Int64]) throws {
        let entries =
            places.map { (owner: $0.entry.unlinked.owner?.rawValue, serial: $0.cursor.serial) }
            + unreadable.map { (owner: nil, serial: $0) }
        try run(
            entries.map { entry in
                Query(
                    """
                    UPDATE audit_entry
                    SET owner = $1, address = NULL, masked_number = NULL, number_digest = NULL, prefix_digest = NULL
                    WHERE id = $2
                    """,
                    [.text(entry.owner), .integer(entry.serial)]
                )
            }
        )
    }

    /// Deletes what was locked, with events about it and the answers that are kept of it.
    ///
    /// - Returns: how many of it were there, as far as it is counted here.
    func delete(_ rows: PersonalRows, subjects: [EventSubject]) throws -> Erasure {
        let verifications = Argument.texts(rows.verifications.map(\.description))
        let counts = try run([
            Query("DELETE FROM event WHERE subject = ANY($1)", [.texts(subjects.map(\.description))]),
            Query(
                """
                DELETE FROM idempotent_request WHERE name = ANY(ARRAY(
                    SELECT name FROM idempotent_request WHERE verification_id = ANY($1) ORDER BY name FOR UPDATE
                ))
                """,
                [verifications]
            ),
            Query("DELETE FROM outbox_message WHERE id = ANY($1)", [.texts(rows.messages.map(\.description))]),
            Query("DELETE FROM number_change WHERE id = ANY($1)", [.texts(rows.numberChanges.map(\.description))]),
            Query("DELETE FROM verification WHERE id = ANY($1)", [verifications]),
            Query("DELETE FROM session WHERE account_id = ANY($1)", [.texts(rows.accountNames)]),
            Query("DELETE FROM account WHERE id = ANY($1)", [.texts(rows.accountNames)]),
            Query(
                "DELETE FROM account_number WHERE e164 = ANY($1)",
                [.texts([rows.account?.e164].compactMap(\.self))]
            ),
        ])
        var erasure = Erasure()
        erasure.answers = counts[1]
        erasure.messages = counts[2]
        erasure.numberChanges = counts[3]
        erasure.verifications = counts[4]
        erasure.sessions = counts[5]
        erasure.accounts = counts[6]
        return erasure
    }
}

extension PersonalRows {
    fileprivate var accountNames: [String] {
        [account?.id.description].compactMap(\.self)
    }
}
