import PhoneAdministration
import PhoneDomain

extension SQLiteConnection {
    /// What a statement that is made of a table's description is for.
    enum Purpose: Int, CaseIterable {
        case find, insert, insertNew, update, delete, findRelated
    }
}

// MARK: - Source

extension SQLiteConnection: RecordSource {
    func load(_ key: Row, of table: Table, isShared: Bool, into row: inout Row) throws -> Bool? {
        let statement = try statement(table, .find) {
            "SELECT \(table.columnList) FROM \(table.name) WHERE \(table.key) = ?1"
        }
        return try statement.with(key) {
            guard try statement.step() else { return false }
            statement.read(into: &row)
            return true
        }
    }

    /// Records that a condition on a table covers, of which each table has one; its arguments are in ``parameters``.
    private func records<R: Record>(where condition: @autoclosure () -> String) throws -> [R] {
        let table = R.table
        let statement = try statement(table, .findRelated) {
            "SELECT \(table.columnList) FROM \(table.name) WHERE \(condition())"
        }
        var records: [R] = []
        try statement.with(parameters) {
            while try statement.step() {
                statement.read(into: &currentRow)
                records.append(try R(currentRow))
            }
        }
        return records
    }

    /// Also those of the day after: of a clock that was ahead then.
    func verifications(of e164: String, since moment: Timestamp) throws -> [Verification]? {
        // Not both days with IN: SQLite would make a table of the two for that.
        func verifications(on day: Int64) throws -> [Verification] {
            parameters.removeAll()
            parameters.append(day)
            parameters.append(e164)
            parameters.append(moment.milliseconds)
            return try records(where: "\(DayIndex.day(of: "created_at")) = ?1 AND e164 = ?2 AND created_at > ?3")
        }
        let day = DayIndex.day(of: moment)
        return try verifications(on: day) + verifications(on: day + 1)
    }

    func sessions(of account: Account.ID, limit: Int) throws -> [Session]? {
        parameters.removeAll()
        account.write(to: &parameters)
        limit.write(to: &parameters)
        return try records(where: "account_id = ?1 ORDER BY created_at, id DESC LIMIT ?2")
    }

    func numberChanges(of account: Account.ID) throws -> [NumberChange]? {
        parameters.removeAll()
        account.write(to: &parameters)
        return try records(where: "account_id = ?1")
    }

    /// Few operators have a rule at all: whether there is one is looked up once in a transaction.
    func guardRules(fitting number: PhoneNumber) throws -> [GuardRule] {
        if hasGuardRules == nil { hasGuardRules = try integer("SELECT 1 FROM guard_rule LIMIT 1") != nil }
        guard hasGuardRules == true else { return [] }
        var prefixes: SQL = "NULL"
        for prefix in GuardRule.prefixes(of: number.e164) { prefixes += ", \(prefix)" }
        return try all(GuardRule.self, "WHERE prefix IN (\(prefixes))")
    }
}

// MARK: - Sink

extension SQLiteConnection: RecordSink {
    func insert(_ row: Row, into table: Table) throws {
        if table === GuardRule.table { hasGuardRules = nil }
        try insertion(into: table).run(row)
    }

    func delete(_ key: Row, from table: Table) throws {
        try statement(table, .delete) { "DELETE FROM \(table.name) WHERE \(table.key) = ?1" }.run(key)
    }

    /// - Parameter isNew: whether the record must not be there yet, of whatever table.
    private func insertion(into table: Table, isNew: Bool = false) throws -> SQLiteStatement {
        try statement(table, isNew ? .insertNew : .insert) {
            let names = table.columns.map(\.name).joined(separator: ", ")
            let marks = table.columns.indices.map { "?\($0 + 1)" }.joined(separator: ", ")
            let conflict = table.keepsFirst && !isNew ? " ON CONFLICT (\(table.key)) DO NOTHING" : ""
            return "INSERT INTO \(table.name) (\(names)) VALUES (\(marks))\(conflict)"
        }
    }

    /// Sets what has changed, if what is guarded is as it was loaded.
    func update(_ loaded: Row, to current: Row, in table: Table) throws {
        parameters.removeAll()
        var changed: UInt64 = 0
        for index in table.columns.indices where !current.hasSameColumn(index, as: loaded) {
            changed |= 1 << UInt64(index)
            parameters.append(index, of: current)
        }
        guard changed != 0 else { return }
        parameters.append(0, of: loaded)
        for index in table.guards { parameters.append(index, of: loaded) }
        try statement(table, .update, columns: changed) {
            let set = table.columns.indices.filter { changed & 1 << UInt64($0) != 0 }
            let names = set.enumerated().map { "\(table.columns[$1].name) = ?\($0 + 1)" }
            let guards = table.guards.enumerated().map { " AND \(table.columns[$1].name) IS ?\(set.count + 2 + $0)" }
            return """
                UPDATE \(table.name) SET \(names.joined(separator: ", "))
                WHERE \(table.key) = ?\(set.count + 1)\(guards.joined())
                """
        }
        .run(parameters)
        guard changesCount == 1 else { throw SQLiteStoreError.changedMeanwhile(table: table.name) }
    }

    func append(_ entries: [AuditEntry]) throws {
        guard !entries.isEmpty else { return }
        var newest = try integer("SELECT max(id) FROM audit_entry") ?? .min
        for entry in entries {
            var serial = AuditRecord.serial(at: entry.at, 0)
            let end = serial + AuditRecord.serialsPerMillisecond
            if newest >= end {
                let last = "SELECT max(id) FROM audit_entry WHERE id >= $1 AND id < $2"
                serial = try integer(last, [.integer(serial), .integer(end)]).map { $0 + 1 } ?? serial
            } else if newest >= serial {
                serial = newest + 1
            }
            newest = max(newest, serial)
            parameters.removeAll()
            AuditRecord(serial: serial, entry: entry).write(to: &parameters)
            try insertion(into: AuditRecord.table).run(parameters)
        }
    }
}

// MARK: - Session

extension SQLiteConnection: SQLSession {
    var dialect: any SQLDialect { SQLiteDialect() }

    func run(_ sql: SQL) throws -> Int { try run(sql.text, sql.arguments) }

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        hasGuardRules = nil
        return try withStatement(sql, arguments) { statement in
            while try statement.step() {}
            return changesCount
        }
    }

    func forEach(_ sql: SQL, _ body: (Row) throws -> Void) throws {
        try withStatement(sql.text, sql.arguments) { statement in
            // Of its own, since the body may run other statements.
            var row = Row()
            while try statement.step() {
                statement.read(into: &row)
                try body(row)
            }
        }
    }

    func forEach(
        _ select: SQL,
        in table: Table,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool,
        _ body: (Row) throws -> Void
    ) throws {
        for value in values { try forEach("\(select) WHERE \(raw: column) = \(value)", body) }
    }

    func run(_ command: SQL, in table: Table, where column: String, isAnyOf values: [SQLValue]) throws -> Int {
        try values.reduce(0) { try $0 + run("\(command) WHERE \(raw: column) = \($1)") }
    }

    func restore(_ rows: [Row], in table: Table) throws {
        // The larger cache stays for as long as the connection: not for the keys that a service makes when it starts.
        if rows.count > 100 { try run("PRAGMA cache_size = -\(Self.restoringCache)", []) }
        for row in rows { try insertion(into: table, isNew: true).run(row) }
    }

    /// Nobody else writes during a transaction.
    func lock(_ table: Table) throws {}

    func serializationConflict() -> any Error { SQLiteStoreError.changedMeanwhile(table: "the database") }
}

struct SQLiteDialect: SQLDialect {
    var isShared: Bool { false }
    var orderedJoin: SQL { "CROSS JOIN" }

    func inKeys(_ subselect: SQL) -> SQL { "IN (\(subselect))" }
    func indexedBy(_ index: String) -> SQL { "INDEXED BY \(raw: index)" }
    var everyDay: SQL { DayIndex.everyDay(isArray: false) }

    var facts: SQL {
        "SELECT user_version, page_count * page_size FROM pragma_user_version, pragma_page_count, pragma_page_size"
    }

    /// 2440587.5 is the Julian day of 1970-01-01.
    var now: SQL { "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)" }
}
