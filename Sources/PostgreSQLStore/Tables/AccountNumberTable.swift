import PhoneDomain

/// The rows of `account_number`: every number that an account holds, once, which is what keeps two accounts from holding
/// one. In a table of its own, so that both can be divided by their keys.
///
/// No row is locked here. Whoever takes a number from an account has that account's row locked, and whoever takes one
/// that nobody holds inserts it: of two the second fails by its key, and begins anew.
enum AccountNumberTable: Table {
    static let name = "account_number"
    static let columns: [(name: String, type: ColumnType)] = [("e164", .text), ("account_id", .text)]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.holders = [key]
        return keys
    }

    static func write(_ holder: Account.ID, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(holder.description)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Account.ID) {
        (try row.nextText(), try row.next(parsedBy: Account.ID.init))
    }

    /// Of accounts that hold a number.
    static func rows(of accounts: some Sequence<Account>) -> [(key: String, value: Account.ID)] {
        accounts.compactMap { account in account.phoneNumber.map { ($0.e164, account.id) } }
    }
}
