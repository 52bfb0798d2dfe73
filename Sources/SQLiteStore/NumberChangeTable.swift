import GRDB
import PhoneDomain

/// The rows of `number_change`.
struct NumberChangeTable {
    static let name = "number_change"
    private static let columns = """
        id, account_id, session_id, verification_id, old_e164, new_e164, language, changed_at, undoable_until, \
        undo_digest, closed_at
        """

    let db: Database
    let plans: NumberingPlans

    func find(_ id: NumberChange.ID) throws -> NumberChange? {
        try db.first(
            "SELECT \(Self.columns) FROM number_change WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    func find(undoDigest: [UInt8]) throws -> NumberChange? {
        try db.first(
            "SELECT \(Self.columns) FROM number_change WHERE undo_digest = ?",
            [Blob(undoDigest)],
            of: Self.name,
            read: read
        )
    }

    /// The changes of this account, oldest first.
    ///
    /// - Parameter moment: those that were made at this one or after it.
    func all(of account: Account.ID, since moment: Timestamp? = nil) throws -> [NumberChange] {
        try db.all(
            """
            SELECT \(Self.columns) FROM number_change WHERE account_id = ? AND changed_at >= ? ORDER BY changed_at, id
            """,
            [account.description, moment?.milliseconds ?? .min],
            of: Self.name,
            read: read
        )
    }

    /// The names of all changes from or to this number.
    func ids(e164: String) throws -> [NumberChange.ID] {
        try ["old_e164", "new_e164"].flatMap { column in
            try db.all("SELECT id FROM number_change WHERE \(column) = ?", [e164], of: Self.name) { row in
                try row.next(parsedBy: NumberChange.ID.init)
            }
        }
    }

    /// The names of all changes of this account.
    func ids(of account: Account.ID) throws -> [NumberChange.ID] {
        try db.all(
            "SELECT id FROM number_change WHERE account_id = ?",
            [account.description],
            of: Self.name
        ) { row in
            try row.next(parsedBy: NumberChange.ID.init)
        }
    }

    /// The changes whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [NumberChange] {
        try db.all(
            "SELECT \(Self.columns) FROM number_change WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ change: NumberChange) throws {
        try db.run(
            "INSERT INTO number_change (\(Self.columns)) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                change.id.description, change.accountID.description, change.sessionID.description,
                change.verificationID.description, change.oldNumber?.e164, change.newNumber.e164,
                change.language.description, change.changedAt.milliseconds, change.undoableUntil.milliseconds,
                Blob(change.undoDigest), change.closedAt?.milliseconds,
            ]
        )
    }

    /// Keeps when a change could no longer be undone, which is all that a command makes of it.
    func save(_ change: NumberChange, loaded: NumberChange) throws {
        guard change != loaded else { return }
        let count = try db.run(
            "UPDATE number_change SET closed_at = ? WHERE id = ? AND closed_at IS ?",
            [change.closedAt?.milliseconds, change.id.description, loaded.closedAt?.milliseconds]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    func delete(_ ids: Set<NumberChange.ID>) throws -> Int {
        try ids.reduce(0) { count, id in
            try count + db.run("DELETE FROM number_change WHERE id = ?", [id.description])
        }
    }

    /// Deletes those that could be undone until before this moment, those first that were over first.
    func purge(before moment: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM number_change WHERE id IN (
                SELECT id FROM number_change WHERE undoable_until < ? ORDER BY undoable_until, id LIMIT ?
            )
            """,
            [moment.milliseconds, max(0, limit)]
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> NumberChange {
        NumberChange(
            id: try row.next(parsedBy: NumberChange.ID.init),
            accountID: try row.next(parsedBy: Account.ID.init),
            sessionID: try row.next(parsedBy: Session.ID.init),
            verificationID: try row.next(parsedBy: Verification.ID.init),
            oldNumber: try row.nextOptional { try? PhoneNumber(e164: $0, plans: plans) },
            newNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            language: try row.next(parsedBy: LanguageTag.init),
            changedAt: try row.nextMoment(),
            undoableUntil: try row.nextMoment(),
            undoDigest: try row.nextBytes(),
            closedAt: try row.nextOptionalMoment()
        )
    }
}
