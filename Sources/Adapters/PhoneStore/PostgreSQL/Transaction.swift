import PhoneDomain

/// A transaction of one operation, statement by statement.
final class Transaction: SQLSession {
    var dialect: any SQLDialect { PostgreSQLDialect() }
    var effects = StoreEffects()
    private let connection: Connection
    private let begin: Query
    private var hasBegun = false
    /// What is not at the server yet.
    private let changes: ChangeCollector

    init(on connection: Connection, begin: Query, announcesAudit: Bool) {
        (self.connection, self.begin) = (connection, begin)
        changes = ChangeCollector(announcesAudit: announcesAudit)
    }

    func run(_ sql: SQL) throws -> Int { try result(Query(sql)).touchedCount }

    func forEach(_ sql: SQL, _ body: (Row) throws -> Void) throws { try result(Query(sql)).forEach(body) }

    func forEach(
        _ select: SQL,
        in table: Table,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool,
        _ body: (Row) throws -> Void
    ) throws {
        guard !values.isEmpty else { return }
        // Ordered also where nothing is locked, so that all transactions visit the same rows in the same order.
        let order = "ORDER BY \(table.name).\(table.key)\(locking ? " FOR UPDATE" : "")"
        try result(Query("\(select.text) WHERE \(column) = ANY($1) \(order)", [.array(values)])).forEach(body)
    }

    func run(_ command: SQL, in table: Table, where column: String, isAnyOf values: [SQLValue]) throws -> Int {
        guard !values.isEmpty else { return 0 }
        // Rows that are found by another column are locked in order of their keys first, as in every other transaction.
        let condition =
            column == table.key
            ? "\(column) = ANY($1)"
            : """
            \(table.key) = ANY(ARRAY(
                SELECT \(table.key) FROM \(table.name) WHERE \(column) = ANY($1) ORDER BY \(table.key) FOR UPDATE
            ))
            """
        return try result(Query("\(command.text) WHERE \(condition)", [.array(values)])).touchedCount
    }

    func restore(_ rows: [Row], in table: Table) throws {
        var columns = ColumnArrays(table.columns.map(\.type))
        for row in rows { columns.append { row.write(to: &$0) } }
        _ = try result(.insert(columns, into: table))
    }

    func lock(_ table: Table) throws {
        _ = try result(Query("LOCK TABLE \(table.name) IN SHARE ROW EXCLUSIVE MODE"))
    }

    /// Out of reach; see ``PostgreSQLStore/removeTraces()``.
    func overwriteDeleted() {}

    func serializationConflict() -> any Error { PostgreSQLStoreError.serializationConflict }

    func save<R: Record>(_ loaded: R?, _ current: R?) { changes.save(loaded, current) }
    func append(_ entries: [AuditEntry]) { changes.append(entries) }

    func commit() throws(PostgreSQLStoreError) {
        let queries = changes.takeQueries()
        guard hasBegun || !queries.isEmpty else { return }
        try connection.commit(after: (hasBegun ? [] : [begin]) + queries)
    }

    /// Does the work, and ends the transaction if it throws.
    func rollingBackFailure<Value>(_ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            if hasBegun { connection.rollBack() }
            throw error
        }
    }

    private func result(_ query: Query) throws(PostgreSQLStoreError) -> QueryResult {
        let queries = (hasBegun ? [] : [begin]) + changes.takeQueries() + [query]
        hasBegun = true
        guard let result = try connection.exchange(queries).last else { throw .disconnected(reason: "no answer") }
        return result
    }
}

extension Connection {
    /// Commits a transaction, with what is to be done before in the same round trip. If it fails, the transaction has
    /// ended.
    func commit(after queries: [Query]) throws(PostgreSQLStoreError) {
        let result: Result<[QueryResult], PostgreSQLStoreError>?
        do throws(PostgreSQLStoreError) {
            result = try exchange([queries + Query.commit]).first
        } catch {
            throw .outcomeUnknown(reason: error.description)
        }
        guard case .failure(let error) = result else { return }
        if error.leavesCommitOpen { throw .outcomeUnknown(reason: error.description) }
        rollBack()
        throw error
    }

    /// Ends a transaction. Where the connection is lost, the server does.
    func rollBack() { if isUsable { _ = try? exchange([.rollback]) } }
}

struct PostgreSQLDialect: SQLDialect {
    var isShared: Bool { true }
    var orderedJoin: SQL { "JOIN" }

    /// An array is computed once. A subselect behind IN may run again for every row, and skip other rows each time.
    func inKeys(_ subselect: SQL) -> SQL { "= ANY(ARRAY(\(subselect) FOR UPDATE SKIP LOCKED))" }
    func indexedBy(_ index: String) -> SQL { "" }

    var everyDay: SQL { DayIndex.everyDay(isArray: true) }

    var facts: SQL {
        "SELECT (SELECT max(version) FROM phoneproof_migration), pg_database_size(current_database())"
    }

    var now: SQL { "CAST(extract(epoch FROM now()) * 1000 AS bigint)" }
}
