import PhoneDomain

/// A transaction of an operation that is done by itself, statement by statement.
final class Transaction {
    private let connection: Connection
    private let plans: NumberingPlans
    private var hasBegun = false

    init(on connection: Connection, plans: NumberingPlans) {
        self.connection = connection
        self.plans = plans
    }

    /// Runs a statement.
    ///
    /// - Returns: how many rows it inserted, updated or deleted.
    @discardableResult
    func run(_ sql: String, _ arguments: [Argument] = []) throws(PostgreSQLStoreError) -> Int {
        try result(Query(sql, arguments)).touchedCount
    }

    /// Runs statements in one way to the server.
    ///
    /// - Returns: how many rows each inserted, updated or deleted.
    @discardableResult
    func run(_ queries: [Query]) throws(PostgreSQLStoreError) -> [Int] {
        guard !queries.isEmpty else { return [] }
        return try results(queries).map(\.touchedCount)
    }

    /// Every row that a statement returns.
    func all<Value>(
        _ sql: String,
        _ arguments: [Argument] = [],
        of table: String,
        read: (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) throws(PostgreSQLStoreError) -> [Value] {
        try result(Query(sql, arguments)).rows(of: table, plans: plans, read: read)
    }

    /// Every row of which the first column is a text that can be read, and that text of every one that cannot.
    func readable<Value>(
        _ sql: String,
        _ arguments: [Argument] = [],
        of table: String,
        read: (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) throws(PostgreSQLStoreError) -> (values: [Value], unreadable: [String]) {
        let rows = try all(sql, arguments, of: table) { (row) throws(PostgreSQLStoreError) in row.readable(read) }
        return rows.split()
    }

    /// Every row, of all columns of a table, that a statement returns.
    func all<T: Table>(
        _ table: T.Type,
        _ condition: String,
        _ arguments: [Argument] = []
    ) throws(PostgreSQLStoreError) -> [(key: String, value: T.Value)] {
        try result(Query("SELECT \(T.columnNames) FROM \(T.name) \(condition)", arguments)).rows(
            of: T.self,
            plans: plans
        )
    }

    /// Keeps what was done.
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

    /// Undoes what was done.
    func rollBack() {
        guard hasBegun, connection.isUsable else { return }
        _ = try? connection.exchange([.rollback])
    }

    private func result(_ query: Query) throws(PostgreSQLStoreError) -> QueryResult {
        // One query has one result.
        for result in try results([query]) { return result }
        throw .disconnected(reason: "no answer")
    }

    private func results(_ queries: [Query]) throws(PostgreSQLStoreError) -> some Collection<QueryResult> {
        let begin = hasBegun ? [] : [Query.begin]
        hasBegun = true
        return try connection.exchange(begin + queries).dropFirst(begin.count)
    }
}

extension Array {
    /// The rows that can be read, and the keys of those that cannot.
    func split<Value>() -> (values: [Value], unreadable: [String]) where Element == RowReader.Readable<Value> {
        reduce(into: ([], [])) { rows, row in
            switch row {
            case .value(let value): rows.values.append(value)
            case .unreadable(let key): rows.unreadable.append(key)
            }
        }
    }
}
