import GRDB
import PhoneDomain

/// The rows of `guard_rule`.
struct GuardRuleTable {
    static let name = "guard_rule"
    private static let columns = "prefix, action, until, created_at"

    let batch: Batch
    private var db: Database { batch.db }

    init(_ batch: Batch) {
        self.batch = batch
    }

    /// Whether there are any: few operators have a rule at all.
    private func isEmpty() throws -> Bool {
        if let hasGuardRules = batch.hasGuardRules { return !hasGuardRules }
        let hasAny =
            try db.first("SELECT 1 FROM guard_rule WHERE prefix >= '+' LIMIT 1", of: Self.name) { _ in true } ?? false
        batch.hasGuardRules = hasAny
        return !hasAny
    }

    /// The rules of every beginning of the number.
    func fitting(_ number: PhoneNumber) throws -> [GuardRule] {
        if try isEmpty() { return [] }
        let prefixes = GuardRule.prefixes(of: number)
        // One statement for each length that a number can have, 15 at most.
        let marks = prefixes.map { _ in "?" }.joined(separator: ", ")
        return try db.all(
            "SELECT \(Self.columns) FROM guard_rule WHERE prefix IN (\(marks))",
            Arguments(prefixes),
            of: Self.name,
            read: read
        )
    }

    func all() throws -> [GuardRule] {
        try db.all("SELECT \(Self.columns) FROM guard_rule ORDER BY prefix", of: Self.name, read: read)
    }

    func find(prefix: String) throws -> GuardRule? {
        try db.first(
            "SELECT \(Self.columns) FROM guard_rule WHERE prefix = ?",
            [prefix],
            of: Self.name,
            read: read
        )
    }

    /// The rules whose prefixes come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [GuardRule] {
        try db.all(
            "SELECT \(Self.columns) FROM guard_rule WHERE prefix > ? ORDER BY prefix LIMIT ?",
            [key, limit],
            of: Self.name,
            read: read
        )
    }

    func save(_ rule: GuardRule) throws {
        try put(rule, by: "INSERT OR REPLACE")
    }

    func insert(_ rule: GuardRule) throws {
        try put(rule, by: "INSERT")
    }

    private func put(_ rule: GuardRule, by insert: String) throws {
        try db.run(
            "\(insert) INTO guard_rule (\(Self.columns)) VALUES (?, ?, ?, ?)",
            [rule.prefix, rule.action.rawValue, rule.until?.milliseconds, rule.createdAt.milliseconds]
        )
    }

    func delete(prefix: String) throws {
        try db.run("DELETE FROM guard_rule WHERE prefix = ?", [prefix])
    }

    func purge(at now: Timestamp, limit: Int) throws -> Int {
        try db.run(
            """
            DELETE FROM guard_rule WHERE prefix IN (
                SELECT prefix FROM guard_rule WHERE until <= ? ORDER BY until, prefix LIMIT ?
            )
            """,
            [now.milliseconds, limit]
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
