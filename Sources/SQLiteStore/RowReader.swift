import GRDBSQLite
import PhoneDomain

/// Reads the columns of a row one after the other. Every method throws ``SQLiteStoreError/unreadable(table:column:)``
/// where a column does not hold what it should, and says nothing of what it does hold.
///
/// By position and not by `Codable` or name: a record read that way takes eight times as long. Of use only while the
/// statement stands at the row.
struct RowReader {
    private let statement: OpaquePointer
    private let table: String
    private var column = 0

    init(_ statement: OpaquePointer, of table: String) {
        self.statement = statement
        self.table = table
    }

    mutating func next<Value: Bindable>(as type: Value.Type = Value.self) throws(SQLiteStoreError) -> Value {
        defer { column += 1 }
        guard let value = Value(column: CInt(column), of: statement) else {
            throw .unreadable(table: table, column: column)
        }
        return value
    }

    /// A column that may hold NULL.
    mutating func next<Value: Bindable>(as type: Value?.Type = Value?.self) throws(SQLiteStoreError) -> Value? {
        guard sqlite3_column_type(statement, CInt(column)) != SQLITE_NULL else {
            column += 1
            return nil
        }
        return try next(as: Value.self)
    }

    mutating func nextMoment() throws(SQLiteStoreError) -> Timestamp {
        Timestamp(milliseconds: try next())
    }

    mutating func nextOptionalMoment() throws(SQLiteStoreError) -> Timestamp? {
        try next(as: Int64?.self).map(Timestamp.init(milliseconds:))
    }

    mutating func nextBytes() throws(SQLiteStoreError) -> [UInt8] {
        try next(as: Blob.self).bytes
    }

    /// A text that must mean something, such as an identifier or a language.
    mutating func next<Value>(parsedBy parse: (String) throws -> Value?) throws(SQLiteStoreError) -> Value {
        let text: String = try next()
        guard let value = try? parse(text) else { throw .unreadable(table: table, column: column - 1) }
        return value
    }

    mutating func nextOptional<Value>(parsedBy parse: (String) -> Value?) throws(SQLiteStoreError) -> Value? {
        guard let text: String = try next() else { return nil }
        guard let value = parse(text) else { throw .unreadable(table: table, column: column - 1) }
        return value
    }
}
