import PhoneDomain
import Records

/// A transaction of one operation, statement by statement.
final class Transaction: SQLSession {
    let plans: NumberingPlans
    let dialect = SQLDialect.postgreSQL
    var effects = StoreEffects()
    private let connection: Connection
    private let begin: Query
    private var hasBegun = false

    init(on connection: Connection, plans: NumberingPlans, begin: Query) {
        self.connection = connection
        self.plans = plans
        self.begin = begin
    }

    func run(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
        try result(Query(sql, arguments.map(Argument.init))).touchedCount
    }

    func forEach(_ sql: String, _ arguments: [SQLValue], _ body: (Row) throws -> Void) throws {
        try result(Query(sql, arguments.map(Argument.init))).forEach(body)
    }

    func forEach(
        _ select: String,
        where column: String,
        isAnyOf values: [SQLValue],
        locking: Bool,
        _ body: (Row) throws -> Void
    ) throws {
        guard !values.isEmpty else { return }
        // Ordered also where nothing is locked, so that all transactions visit the same rows in the same order.
        let table = Self.table(in: select, after: "FROM")
        let order = "ORDER BY \(table.name).\(table.key)\(locking ? dialect.forUpdate : "")"
        try result(Query("\(select) WHERE \(column) = ANY($1) \(order)", [.array(values)])).forEach(body)
    }

    func run(_ command: String, where column: String, isAnyOf values: [SQLValue]) throws -> Int {
        guard !values.isEmpty else { return 0 }
        let table = Self.table(in: command, after: command.hasPrefix("UPDATE") ? "UPDATE" : "FROM")
        // Rows that are found by another column are locked in order of their keys first, as in every other transaction.
        let condition =
            column == table.key
            ? "\(column) = ANY($1)"
            : """
            \(table.key) = ANY(ARRAY(
                SELECT \(table.key) FROM \(table.name) WHERE \(column) = ANY($1) ORDER BY \(table.key) FOR UPDATE
            ))
            """
        return try result(Query("\(command) WHERE \(condition)", [.array(values)])).touchedCount
    }

    func insert(_ rows: [Row], into table: Table) throws {
        guard !rows.isEmpty else { return }
        _ = try result(.insert(rows, into: table))
    }

    func lock(_ table: Table) throws {
        _ = try result(Query("LOCK TABLE \(table.name) IN SHARE ROW EXCLUSIVE MODE"))
    }

    /// Out of reach; see ``PostgreSQLStore/removeTraces()``.
    func overwriteDeleted() {}

    func overtaken() -> any Error { PostgreSQLStoreError.overtaken }

    func save<R: TrackedRecord>(_ changes: RecordChanges<R>) throws { try run(Query.saves(changes)) }

    func append(_ entries: [AuditEntry]) throws { try run(Query.appends(entries)) }

    func commit() throws(PostgreSQLStoreError) {
        guard hasBegun else { return }
        hasBegun = false
        let result: Result<[QueryResult], PostgreSQLStoreError>?
        do throws(PostgreSQLStoreError) {
            result = try connection.exchange([Query.commit]).first
        } catch {
            throw .outcomeUnknown(reason: error.description)
        }
        guard case .failure(let error) = result else { return }
        throw error.leavesCommitOpen ? .outcomeUnknown(reason: error.description) : error
    }

    func rollBack() {
        guard hasBegun, connection.isUsable else { return }
        _ = try? connection.exchange([.rollback])
    }

    /// The table that a statement names after this word.
    private static func table(in sql: String, after keyword: String) -> Table {
        let words = sql.split { $0 == " " || $0.isNewline }
        let name = words.firstIndex { $0 == keyword }.flatMap { words.dropFirst($0 + 1).first }
        guard let table = RecordKind.tables.first(where: { name.map(String.init) == $0.name }) else {
            preconditionFailure("the statement names no table: \(sql)")
        }
        return table
    }

    private func run(_ queries: [Query]) throws(PostgreSQLStoreError) {
        if !queries.isEmpty { _ = try results(queries) }
    }

    private func result(_ query: Query) throws(PostgreSQLStoreError) -> QueryResult {
        // One query has one result.
        for result in try results([query]) { return result }
        throw .disconnected(reason: "no answer")
    }

    private func results(_ queries: [Query]) throws(PostgreSQLStoreError) -> some Collection<QueryResult> {
        let begin = hasBegun ? [] : [begin]
        hasBegun = true
        return try connection.exchange(begin + queries).dropFirst(begin.count)
    }
}

extension SQLDialect {
    static let postgreSQL = SQLDialect(
        skippingLocked: " FOR UPDATE SKIP LOCKED",
        forUpdate: " FOR UPDATE",
        isShared: true,
        orderedJoin: "JOIN",
        // An array is computed once. A subselect behind IN may run again for every row, and skip other rows each time.
        inKeys: { "= ANY(ARRAY(\($0) FOR UPDATE SKIP LOCKED))" },
        indexedBy: { _ in "" },
        everyDay: { _ in "" },
        days: { _, _, _ in "" }
    )
}

/// An operation with a transaction of its own.
struct TransactionOperation: QueuedOperation {
    private static let maxAttempts = 8

    let begin: Query
    /// Does the operation, and returns how to answer the caller after the commit.
    let work: @Sendable (Transaction) throws -> @Sendable () -> Void
    let fail: @Sendable (any Error) -> Void

    /// - Returns: whether there is a server.
    func run(
        on connection: ConnectionThread,
        plans: NumberingPlans,
        events: EventSubscription,
        observer: (any StoreObserver)?
    ) -> Bool {
        do {
            let (answer, effects) = try observer.measuring(.write, operations: 1) {
                try commit(connection, plans: plans)
            }
            effects.notify(observer, events)
            answer()
            return true
        } catch {
            fail(error)
            return (error as? PostgreSQLStoreError)?.isOfServer != true
        }
    }

    private func commit(
        _ connection: ConnectionThread,
        plans: NumberingPlans
    ) throws -> (answer: @Sendable () -> Void, effects: StoreEffects) {
        var attempt = 1
        while true {
            do {
                return try connection.perform { connection in
                    let transaction = Transaction(on: connection, plans: plans, begin: begin)
                    do {
                        let answer = try work(transaction)
                        try transaction.commit()
                        return (answer, transaction.effects)
                    } catch {
                        transaction.rollBack()
                        throw error
                    }
                }
            } catch let error as PostgreSQLStoreError where error.isRetryable && attempt < Self.maxAttempts {
                attempt += 1
            }
        }
    }
}
