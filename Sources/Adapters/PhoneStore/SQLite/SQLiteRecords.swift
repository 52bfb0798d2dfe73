import PhoneAdministration
import PhoneDomain

extension SQLiteConnection {
    /// What a statement that is made of a table's description is for.
    enum Purpose: Int, CaseIterable {
        case find, insert, insertNew, update, delete, findRelated
    }
}

// MARK: - Records

extension SQLiteConnection {
    func find<R: Record>(_ type: R.Type, _ key: R.Key) throws -> R? {
        let recent = recent(type)
        if let record = recent?.find(key, in: generation) { return record }
        let table = R.table
        let statement = try statement(table, .find) {
            "SELECT \(table.columnList) FROM \(table.name) WHERE \(table.key) = ?1"
        }
        let record = try statement.with(arena) {
            key.write(to: &$0)
        } _: { () -> R? in
            guard try statement.step() else { return nil }
            var reader = StatementReader(statement, of: table)
            return try R(from: &reader)
        }
        if let recent, let record { recent.keep(record, in: generation) }
        return record
    }

    /// Whether a statement of any text may have changed rows of which there are recent ones.
    private func mayConcernRecent(_ sql: String) -> Bool { recentTables.contains { sql.contains($0) } }

    private func recent<R: Record>(_ type: R.Type) -> RecentRecords<R>? {
        guard isWriter, R.table.isUsedSoon || R.table.isCommon else { return nil }
        return recentRecords.object(of: R.table) {
            recentTables.insert(R.table.name)
            return RecentRecords<R>()
        }
    }

    /// Records that a condition on a table covers, of which each table has one.
    func records<R: Record>(
        where condition: @autoclosure () -> String,
        _ write: (inout ParameterWriter) -> Void
    ) throws -> [R] {
        let table = R.table
        let statement = try statement(table, .findRelated) {
            "SELECT \(table.columnList) FROM \(table.name) WHERE \(condition())"
        }
        return try statement.with(arena, write) {
            var records: [R] = []
            while try statement.step() {
                var reader = StatementReader(statement, of: table)
                records.append(try R(from: &reader))
            }
            return records
        }
    }

    func hasGuardRules() throws -> Bool {
        if let knownRules { return knownRules }
        let hasRules = try integer("SELECT 1 FROM guard_rule LIMIT 1") != nil
        knownRules = hasRules
        return hasRules
    }

    func save<R: Record>(_ loaded: R?, _ current: R?) throws {
        let (table, recent) = (R.table, recent(R.self))
        if table === GuardRule.table { knownRules = nil }
        // In place, here and below: to copy a record takes longer than to write it.
        guard current?.isBlank == false else {
            guard let key = loaded?.key else { return }
            recent?.forget(key)
            try statement(table, .delete) { "DELETE FROM \(table.name) WHERE \(table.key) = ?1" }
                .run(arena) { key.write(to: &$0) }
            return
        }
        if loaded == nil {
            try insertion(into: table).run(arena) { current?.write(to: &$0) }
        } else {
            loadedRow.removeAll()
            currentRow.removeAll()
            loaded?.write(to: &loadedRow)
            current?.write(to: &currentRow)
            try update(loadedRow, to: currentRow, in: table)
        }
        if let recent, let current { recent.keep(current, in: generation) }
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
    private func update(_ loaded: Row, to current: Row, in table: Table) throws {
        var changed: UInt64 = 0
        for index in table.columns.indices where !current.hasSameColumn(index, as: loaded) {
            changed |= 1 << UInt64(index)
        }
        guard changed != 0 else { return }
        try statement(table, .update, columns: changed) {
            let set = table.columns.indices.filter { changed & 1 << UInt64($0) != 0 }
            let names = set.enumerated().map { "\(table.columns[$1].name) = ?\($0 + 1)" }
            let guards = table.guards.enumerated().map { " AND \(table.columns[$1].name) IS ?\(set.count + 2 + $0)" }
            return """
                UPDATE \(table.name) SET \(names.joined(separator: ", "))
                WHERE \(table.key) = ?\(set.count + 1)\(guards.joined())
                """
        }
        .run(arena) { parameters in
            for index in table.columns.indices where changed & 1 << UInt64(index) != 0 {
                current.write(index, to: &parameters)
            }
            loaded.write(0, to: &parameters)
            for index in table.guards { loaded.write(index, to: &parameters) }
        }
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
            try insertion(into: AuditRecord.table).run(arena) {
                AuditRecord(serial: serial, entry: entry).write(to: &$0)
            }
            if announcesAudit {
                let event = Event(entry, serial: serial)
                try insertion(into: Event.table).run(arena) { event.write(to: &$0) }
            }
        }
    }
}

// MARK: - Session

extension SQLiteConnection: SQLSession {
    var dialect: any SQLDialect { SQLiteDialect() }

    func run(_ sql: SQL) throws -> Int { try run(sql.text, sql.arguments) }

    @discardableResult
    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        knownRules = nil
        return try withStatement(sql, arguments) { statement in
            let before = totalChangesCount
            defer { if totalChangesCount != before, mayConcernRecent(sql) { generation += 1 } }
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
        for row in rows { try insertion(into: table, isNew: true).run(arena) { row.write(to: &$0) } }
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
