import GRDB
import PhoneDomain

/// Reads the columns of a row one after the other. Every method throws ``SQLiteStoreError/unreadable(table:column:)``
/// where a column does not hold what it should, and says nothing of what it does hold.
///
/// By position and not by `Codable` or name: a record read that way takes eight times as long.
struct RowReader {
    private let row: Row
    private let table: String
    private var column = 0

    init(_ row: Row, of table: String) {
        self.row = row
        self.table = table
    }

    mutating func next<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        as type: Value.Type = Value.self
    ) throws(SQLiteStoreError) -> Value {
        defer { column += 1 }
        do {
            return try row.decode(Value.self, atIndex: column)
        } catch {
            // GRDB's own error quotes the row.
            throw .unreadable(table: table, column: column)
        }
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
