import PhoneDomain

/// The rows of `safe_number`. Its key is what keeps an account from having a number twice.
enum SafeNumberTable: Table {
    static let name = "safe_number"
    static let columns: [(name: String, type: ColumnType)] = [
        ("key", .text), ("id", .text), ("account", .text), ("e164", .text), ("created_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.safeNumbers = [key]
        return keys
    }

    static func write(_ number: SafeNumber, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(number.id.description)
        row.write(number.account.description)
        row.write(number.e164)
        row.write(number.createdAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: SafeNumber) {
        let key = try row.nextText()
        let number = SafeNumber(
            id: try row.next(parsedBy: SafeNumber.ID.init),
            account: try row.next(parsedBy: TenantAccount.ID.init),
            e164: try row.nextText(),
            createdAt: try row.nextMoment()
        )
        guard number.key == key else { throw .unreadable(table: name, column: 0) }
        return (key, number)
    }
}
