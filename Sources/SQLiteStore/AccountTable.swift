import GRDB
import PhoneDomain

/// The rows of `account`. The UNIQUE number is what keeps two accounts from holding one.
struct AccountTable {
    static let name = "account"
    private static let columns = "id, e164, created_at, created_by"

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

    /// The accounts whose identifiers come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [Account] {
        try db.all(
            "SELECT \(Self.columns) FROM account WHERE id > ? ORDER BY id LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    /// Keeps the account that a command made at this moment where none was loaded, and announces it.
    func save(_ account: Account?, loaded: Account?, at now: Timestamp) throws {
        guard let account, loaded == nil else { return }
        try insert(account)
        try events.announce(Event(made: account, at: now))
    }

    func insert(_ account: Account) throws {
        try db.run(
            "INSERT INTO account (\(Self.columns)) VALUES (?, ?, ?, ?)",
            [
                account.id.description, account.phoneNumber.e164, account.createdAt.milliseconds,
                account.createdBy.description,
            ]
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> Account {
        Account(
            id: try row.next(parsedBy: Account.ID.init),
            phoneNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            createdAt: try row.nextMoment(),
            createdBy: try row.next(parsedBy: Verification.ID.init)
        )
    }
}
