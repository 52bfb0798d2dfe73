import GRDB
import PhoneDomain

/// The rows of `safe_number`.
struct SafeNumberTable {
    static let name = "safe_number"
    private static let columns = "key, id, account, e164, created_at"

    let db: Database

    func find(_ e164: String, of account: TenantAccount.ID) throws -> SafeNumber? {
        try db.first(
            "SELECT \(Self.columns) FROM safe_number WHERE key = ?",
            [SafeNumber.key(e164, of: account)],
            of: Self.name,
            read: read
        )
    }

    /// The numbers whose keys come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [SafeNumber] {
        try db.all(
            "SELECT \(Self.columns) FROM safe_number WHERE key > ? ORDER BY key LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func insert(_ number: SafeNumber) throws {
        try db.run(
            "INSERT INTO safe_number (\(Self.columns)) VALUES (?, ?, ?, ?, ?)",
            [
                number.key, number.id.description, number.account.description, number.e164,
                number.createdAt.milliseconds,
            ]
        )
    }

    func delete(_ e164: String, of account: TenantAccount.ID) throws -> Bool {
        try db.run("DELETE FROM safe_number WHERE key = ?", [SafeNumber.key(e164, of: account)]) > 0
    }

    /// Takes a number off every list.
    ///
    /// - Returns: how many had it.
    func delete(e164: String) throws -> Int {
        try db.run("DELETE FROM safe_number WHERE e164 = ?", [e164])
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> SafeNumber {
        let key: String = try row.next()
        let number = SafeNumber(
            id: try row.next(parsedBy: SafeNumber.ID.init),
            account: try row.next(parsedBy: TenantAccount.ID.init),
            e164: try row.next(),
            createdAt: try row.nextMoment()
        )
        guard number.key == key else { throw .unreadable(table: Self.name, column: 0) }
        return number
    }
}
