import GRDB
import GRDBSQLite

/// Statements that SQLite compiles once per connection.
///
/// They are bound, stepped and read here, by SQLite's own interface: GRDB looks over each statement and each value for
/// what this store does not use (observers, databases of loose types, rows that outlive the statement), and that takes
/// longer than most of the statements themselves. Opening, transactions and migrations are GRDB's.
extension Database {
    /// Runs a statement that returns no rows.
    ///
    /// - Returns: how many rows it inserted, updated or deleted; of no meaning for other statements.
    @discardableResult
    func run(_ sql: String, _ arguments: Arguments = []) throws -> Int {
        try withStatement(sql, arguments) { statement in
            while try step(statement) {}
        }
        return changesCount
    }

    /// The first row.
    func first<Value>(
        _ sql: String,
        _ arguments: Arguments = [],
        of table: String,
        read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        try withStatement(sql, arguments) { statement in
            guard try step(statement) else { return nil }
            var reader = RowReader(statement, of: table)
            return try read(&reader)
        }
    }

    /// Every row.
    func all<Value>(
        _ sql: String,
        _ arguments: Arguments = [],
        of table: String,
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        try withStatement(sql, arguments) { statement in
            var values: [Value] = []
            while try step(statement) {
                var reader = RowReader(statement, of: table)
                values.append(try read(&reader))
            }
            return values
        }
    }

    /// Every row that can be read, and the first column of every one that cannot.
    func readable<Value>(
        _ sql: String,
        _ arguments: Arguments = [],
        of table: String,
        read: (inout RowReader) throws -> Value
    ) throws -> (values: [Value], unreadable: [String]) {
        try withStatement(sql, arguments) { statement in
            var (values, unreadable): ([Value], [String]) = ([], [])
            while try step(statement) {
                do {
                    var reader = RowReader(statement, of: table)
                    values.append(try read(&reader))
                } catch SQLiteStoreError.unreadable {
                    unreadable.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
                }
            }
            return (values, unreadable)
        }
    }

    /// A statement that is used within itself, such as one that `read` of ``all(_:_:of:read:)`` runs again, would lose its
    /// rows; nothing here does that, and SQLite refuses to bind the values of one that is at work.
    private func withStatement<Value>(
        _ sql: String,
        _ arguments: Arguments,
        _ work: (OpaquePointer) throws -> Value
    ) throws -> Value {
        let statement = try cachedStatement(sql: sql).sqliteStatement
        try arguments.bind(to: statement) { throw error($0) }
        defer {
            // What a failed step has to say was said by the step.
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        return try work(statement)
    }

    /// - Returns: whether there is a row.
    private func step(_ statement: OpaquePointer) throws -> Bool {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw error(code)
        }
    }

    private func error(_ code: CInt) -> DatabaseError {
        DatabaseError(
            resultCode: ResultCode(rawValue: code),
            // Not of the connection, which has no words for what was found out before SQLite was asked.
            message: sqlite3_errcode(sqliteConnection) == code
                ? sqlite3_errmsg(sqliteConnection).map { String(cString: $0) }
                : sqlite3_errstr(code).map { String(cString: $0) }
        )
    }
}
