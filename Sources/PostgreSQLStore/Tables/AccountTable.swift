import PhoneDomain

/// The rows of `account`. Which of them holds a number is in `account_number` (``AccountNumberTable``).
enum AccountTable: Table {
    static let name = "account"
    static let columns: [(name: String, type: ColumnType)] = [
        ("id", .text), ("e164", .text), ("created_at", .integer), ("created_by", .text),
        ("phone_number_since", .integer), ("last_active_at", .integer), ("metadata", .text),
        ("deletion_due_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.accounts = [key]
        return keys
    }

    static func write(_ account: Account, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(account.phoneNumber?.e164)
        row.write(account.createdAt)
        row.write(account.createdBy.description)
        row.write(account.phoneNumberSince)
        row.write(account.lastActiveAt)
        row.write(account.metadata.json)
        row.write(account.deletionDueAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Account) {
        let id = try row.next(parsedBy: Account.ID.init)
        let plans = row.plans
        let phoneNumber = try row.nextOptional { try? PhoneNumber(e164: $0, plans: plans) }
        let createdAt = try row.nextMoment()
        let createdBy = try row.next(parsedBy: Verification.ID.init)
        let account = Account(
            id: id,
            phoneNumber: phoneNumber,
            phoneNumberSince: try row.nextOptionalMoment(),
            createdAt: createdAt,
            createdBy: createdBy,
            lastActiveAt: try row.nextOptionalMoment(),
            metadata: AccountMetadata(json: try row.nextText()),
            deletionDueAt: try row.nextOptionalMoment()
        )
        return (id.description, account)
    }
}
