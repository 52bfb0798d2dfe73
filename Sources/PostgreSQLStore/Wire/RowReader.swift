import PhoneDomain

/// Reads the columns of a row one after the other. Every method throws ``PostgreSQLStoreError/unreadable(table:column:)``
/// where a column does not hold what it should, and says nothing of what it does hold.
struct RowReader {
    /// By which kept numbers are read.
    let plans: NumberingPlans
    private let result: QueryResult
    private let row: Int
    private let table: String
    private var column = 0

    init(_ result: QueryResult, row: Int, of table: String, plans: NumberingPlans) {
        self.result = result
        self.row = row
        self.table = table
        self.plans = plans
    }

    mutating func nextText() throws(PostgreSQLStoreError) -> String {
        try required(nextOptionalText())
    }

    mutating func nextOptionalText() -> String? {
        nextValue().map { String(decoding: $0, as: UTF8.self) }
    }

    mutating func nextInteger() throws(PostgreSQLStoreError) -> Int64 {
        try required(nextOptionalInteger())
    }

    mutating func nextOptionalInteger() throws(PostgreSQLStoreError) -> Int64? {
        guard let bytes = nextValue() else { return nil }
        guard bytes.count == 8 else { throw unreadable() }
        return Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
    }

    mutating func nextCount() throws(PostgreSQLStoreError) -> Int {
        Int(try nextInteger())
    }

    mutating func nextBoolean() throws(PostgreSQLStoreError) -> Bool {
        guard let bytes = nextValue(), bytes.count == 1 else { throw unreadable() }
        return bytes[0] != 0
    }

    mutating func nextBytes() throws(PostgreSQLStoreError) -> [UInt8] {
        try required(nextOptionalBytes())
    }

    mutating func nextOptionalBytes() -> [UInt8]? {
        nextValue().map { Array($0) }
    }

    mutating func nextMoment() throws(PostgreSQLStoreError) -> Timestamp {
        Timestamp(milliseconds: try nextInteger())
    }

    mutating func nextOptionalMoment() throws(PostgreSQLStoreError) -> Timestamp? {
        try nextOptionalInteger().map(Timestamp.init(milliseconds:))
    }

    /// A text that must mean something, such as an identifier or a language.
    mutating func next<Value>(parsedBy parse: (String) throws -> Value?) throws(PostgreSQLStoreError) -> Value {
        let text = try nextText()
        guard let value = try? parse(text) else { throw unreadable() }
        return value
    }

    mutating func nextOptional<Value>(parsedBy parse: (String) -> Value?) throws(PostgreSQLStoreError) -> Value? {
        guard let text = nextOptionalText() else { return nil }
        guard let value = parse(text) else { throw unreadable() }
        return value
    }

    /// A row, or the text in its first column if the row cannot be read.
    enum Readable<Value> {
        case value(Value)
        case unreadable(key: String)
    }

    /// Reads the row, from its first column.
    mutating func readable<Value>(
        _ read: (inout RowReader) throws(PostgreSQLStoreError) -> Value
    ) -> Readable<Value> {
        var first = self
        do throws(PostgreSQLStoreError) {
            return .value(try read(&self))
        } catch {
            return .unreadable(key: first.nextOptionalText() ?? "NULL")
        }
    }

    /// Whether the next column is NULL.
    var isNextNull: Bool {
        result.value(row: row, column: column) == nil
    }

    /// That the row does not hold what it should, in the column that was read last.
    func unreadable() -> PostgreSQLStoreError {
        .unreadable(table: table, column: column - 1)
    }

    private mutating func nextValue() -> UnsafeRawBufferPointer? {
        defer { column += 1 }
        return result.value(row: row, column: column)
    }

    private func required<Value>(_ value: Value?) throws(PostgreSQLStoreError) -> Value {
        guard let value else { throw unreadable() }
        return value
    }
}

extension RowReader.Readable: Sendable where Value: Sendable {}
