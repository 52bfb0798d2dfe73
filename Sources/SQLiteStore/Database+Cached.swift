import GRDB

/// Statements that SQLite compiles once per connection.
extension Database {
    /// Runs a statement that returns no rows.
    ///
    /// - Returns: how many rows it inserted, updated or deleted; of no meaning for other statements.
    @discardableResult
    func run(_ sql: String, _ arguments: StatementArguments = []) throws -> Int {
        try cachedStatement(sql: sql).execute(arguments: arguments)
        return changesCount
    }

    /// The first row.
    func first<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        of table: String,
        read: (inout RowReader) throws -> Value
    ) throws -> Value? {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        guard let row = try rows.next() else { return nil }
        var reader = RowReader(row, of: table)
        return try read(&reader)
    }

    /// Every row.
    func all<Value>(
        _ sql: String,
        _ arguments: StatementArguments = [],
        of table: String,
        read: (inout RowReader) throws -> Value
    ) throws -> [Value] {
        let rows = try Row.fetchCursor(cachedStatement(sql: sql), arguments: arguments)
        var values: [Value] = []
        while let row = try rows.next() {
            var reader = RowReader(row, of: table)
            values.append(try read(&reader))
        }
        return values
    }
}
