import PhoneDomain

/// The rows of `account`, known by the number that each holds. `account_number` has every number once, which is what
/// keeps two accounts from holding one; in a table of its own, so that both can be divided by their keys.
enum AccountTable: Table {
    static let name = "account"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("e164", .text), ("created_at", .integer), ("created_by", .text),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.accounts = [key]
        return keys
    }

    static func write(_ account: Account, under key: String, to row: inout RowWriter) {
        row.write(account.id.description)
        row.write(account.phoneNumber.e164)
        row.write(account.createdAt)
        row.write(account.createdBy.description)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Account) {
        let id = try row.next(parsedBy: Account.ID.init)
        let plans = row.plans
        let account = Account(
            id: id,
            phoneNumber: try row.next { try PhoneNumber(e164: $0, plans: plans) },
            createdAt: try row.nextMoment(),
            createdBy: try row.next(parsedBy: Verification.ID.init)
        )
        return (account.phoneNumber.e164, account)
    }

    static func inserts(_ rows: [(key: String, value: Account)]) -> [Query] {
        guard !rows.isEmpty else { return [] }
        let rows = rows.sorted { $0.key < $1.key }
        return [
            Query(
                "INSERT INTO account_number (e164, account_id) SELECT * FROM unnest($1, $2)",
                [.texts(rows.map(\.key)), .texts(rows.map(\.value.id.description))]
            ),
            Query(insertion, arguments(rows)),
        ]
    }
}
