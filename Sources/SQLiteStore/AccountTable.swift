import GRDB
import PhoneDomain

/// The rows of `account`. The UNIQUE number is what keeps two accounts from holding one; of accounts without one there may
/// be many.
struct AccountTable {
    static let name = "account"
    /// With the table's name, since a session's columns have the same ones.
    static let columns = """
        account.id, account.e164, account.phone_number_since, account.created_at, account.created_by, \
        account.last_active_at, account.metadata, account.deletion_due_at
        """

    let db: Database
    let plans: NumberingPlans
    let events: EventTable

    func find(_ id: Account.ID) throws -> Account? {
        try db.first(
            "SELECT \(Self.columns) FROM account WHERE id = ?",
            [id.description],
            of: Self.name,
            read: read
        )
    }

    func find(e164: String) throws -> Account? {
        try db.first(
            "SELECT \(Self.columns) FROM account WHERE e164 = ?",
            [e164],
            of: Self.name,
            read: read
        )
    }

    /// The ID of the account of a number and the verification that made it, however the rest of its row may be.
    func origin(e164: String) throws -> (id: Account.ID, createdBy: Verification.ID)? {
        try db.first("SELECT id, created_by FROM account WHERE e164 = ?", [e164], of: Self.name) { row in
            (try row.next(parsedBy: Account.ID.init), try row.next(parsedBy: Verification.ID.init))
        }
    }

    /// The accounts that are to be deleted by this moment, those first that were due first.
    func due(at now: Timestamp, limit: Int) throws -> [Account.ID] {
        try db.all(
            "SELECT id FROM account WHERE deletion_due_at <= ? ORDER BY deletion_due_at, id LIMIT ?",
            [now.milliseconds, max(0, limit)],
            of: Self.name
        ) { row in
            try row.next(parsedBy: Account.ID.init)
        }
    }

    /// The accounts whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Account] {
        try db.all(
            "SELECT \(Self.columns) FROM account WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    /// Those of them that have metadata.
    func pageWithMetadata(after key: String, limit: Int) throws -> (values: [Account], unreadable: [String]) {
        try db.readable(
            "SELECT \(Self.columns) FROM account WHERE id > ? AND metadata <> '{}' ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    /// Keeps what a command left at this moment of the account that was loaded, or the one that it made in its place, and
    /// what that announces.
    func save(_ account: Account?, loaded: Account?, at now: Timestamp) throws {
        guard let account, account != loaded else { return }
        if let loaded, loaded.id == account.id {
            try update(account, loaded: loaded)
            try events.announce(Event(account, was: loaded, at: now))
        } else {
            try insert(account)
            try events.announce(Event(made: account, at: now))
        }
    }

    func insert(_ account: Account) throws {
        try db.run(
            """
            INSERT INTO account (
                id, e164, phone_number_since, created_at, created_by, last_active_at, metadata, deletion_due_at
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                account.id.description, account.phoneNumber?.e164, account.phoneNumberSince.milliseconds,
                account.createdAt.milliseconds, account.createdBy.description, account.lastActiveAt.milliseconds,
                account.metadata.json, account.deletionDueAt?.milliseconds,
            ]
        )
    }

    func delete(_ id: Account.ID) throws -> Int {
        try db.run("DELETE FROM account WHERE id = ?", [id.description])
    }

    /// See ``VerificationTable`` for why that is guarded though it cannot be.
    private func update(_ account: Account, loaded: Account) throws {
        let changes = Self.changes(from: loaded, to: account)
        let count = try db.run(
            "UPDATE account SET \(changes.text) WHERE id = ? AND e164 IS ? AND deletion_due_at IS ?",
            changes.arguments + [
                account.id.description, loaded.phoneNumber?.e164, loaded.deletionDueAt?.milliseconds,
            ]
        )
        guard count == 1 else { throw SQLiteStoreError.changedMeanwhile(table: Self.name) }
    }

    /// Every column that a command may change.
    private static func changes(from loaded: Account, to account: Account) -> Assignments {
        var changes = Assignments()
        changes.set("e164", to: account.phoneNumber?.e164, was: loaded.phoneNumber?.e164)
        changes.set(
            "phone_number_since",
            to: account.phoneNumberSince.milliseconds,
            was: loaded.phoneNumberSince.milliseconds
        )
        changes.set("last_active_at", to: account.lastActiveAt.milliseconds, was: loaded.lastActiveAt.milliseconds)
        changes.set("metadata", to: account.metadata.json, was: loaded.metadata.json)
        changes.set("deletion_due_at", to: account.deletionDueAt?.milliseconds, was: loaded.deletionDueAt?.milliseconds)
        return changes
    }

    /// Reads ``columns``.
    func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Account {
        Account(
            id: try row.next(parsedBy: Account.ID.init),
            phoneNumber: try row.nextOptional { try? PhoneNumber(e164: $0, plans: plans) },
            phoneNumberSince: try row.nextMoment(),
            createdAt: try row.nextMoment(),
            createdBy: try row.next(parsedBy: Verification.ID.init),
            lastActiveAt: try row.nextMoment(),
            metadata: AccountMetadata(json: try row.next()),
            deletionDueAt: try row.nextOptionalMoment()
        )
    }
}
