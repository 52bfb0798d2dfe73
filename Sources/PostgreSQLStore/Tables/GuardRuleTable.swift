import PhoneDomain

/// The rows of `guard_rule`.
enum GuardRuleTable: Table {
    static let name = "guard_rule"
    static let columns: [(name: String, type: ColumnType)] = [
        ("prefix", .text), ("action", .text), ("until", .integer), ("created_at", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.guardRules = [key]
        return keys
    }

    static func write(_ rule: GuardRule, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(rule.action.rawValue)
        row.write(rule.until)
        row.write(rule.createdAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: GuardRule) {
        let prefix = try row.nextText()
        let action = try row.next(parsedBy: GuardRule.Action.init(rawValue:))
        let (until, createdAt) = (try row.nextOptionalMoment(), try row.nextMoment())
        guard let rule = GuardRule(prefix: prefix, action: action, until: until, createdAt: createdAt) else {
            throw .unreadable(table: name, column: 0)
        }
        return (prefix, rule)
    }
}
