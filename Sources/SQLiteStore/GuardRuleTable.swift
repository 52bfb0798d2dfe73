import GRDB
import PhoneDomain

/// The rows of `guard_rule`.
struct GuardRuleTable {
    static let name = "guard_rule"
    private static let columns = "prefix, action, until, created_at"

    let db: Database

    /// The rules of every beginning of the number.
    func fitting(_ number: PhoneNumber) throws -> [GuardRule] {
        let prefixes = GuardRule.prefixes(of: number)
        // One statement for each length that a number can have, 15 at most.
        let marks = prefixes.map { _ in "?" }.joined(separator: ", ")
        return try db.all(
            "SELECT \(Self.columns) FROM guard_rule WHERE prefix IN (\(marks))",
            StatementArguments(prefixes),
            of: Self.name,
            read: read
        )
    }

    private func read(_ row: inout RowReader) throws(SQLiteStoreError) -> GuardRule {
        let prefix: String = try row.next()
        let action = try row.next(parsedBy: GuardRule.Action.init(rawValue:))
        let until = try row.nextOptionalMoment()
        let createdAt = try row.nextMoment()
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: createdAt) else {
            throw .unreadable(table: Self.name, column: 0)
        }
        return rule
    }
}
