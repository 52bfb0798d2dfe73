/// The columns of one record as an engine stores them: whole numbers, texts and bytes, one after the other.
///
/// A ``Record`` writes itself to a row and reads itself from one; an engine binds a row to a statement and fills one
/// from a result. No value is boxed, and a row can be emptied and used again.
public struct Row: ColumnWriter, Hashable, Sendable {
    public enum Kind: UInt8, Sendable {
        case null, integer, text, bytes
    }

    /// One column. A text or bytes are ``Row/bytes`` from `start` to `end`.
    public struct Column: Hashable, Sendable {
        public let kind: Kind
        /// The number, 0 if it is none.
        public let integer: Int64
        public let start: Int
        public let end: Int
    }

    public private(set) var columns: [Column] = []
    /// The texts (in UTF-8) and bytes of all columns.
    public private(set) var bytes: [UInt8] = []

    public init() {}

    /// The values of a statement's parameters.
    public init(_ values: [SQLValue]) { for value in values { value.write(to: &self) } }

    public init(_ record: some Record) { record.write(to: &self) }

    /// Empties the row, and keeps its memory.
    public mutating func removeAll() {
        columns.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    func hasSameColumn(_ index: Int, as other: Row) -> Bool {
        let (one, two) = (columns[index], other.columns[index])
        guard one.kind == two.kind, one.integer == two.integer, one.end - one.start == two.end - two.start else {
            return false
        }
        return one.start == one.end || bytes[one.start..<one.end] == other.bytes[two.start..<two.end]
    }

    public subscript(_ index: Int) -> SQLValue {
        let column = columns[index]
        return switch column.kind {
        case .null: .null
        case .integer: .integer(column.integer)
        case .text: .text(String(decoding: bytes[column.start..<column.end], as: UTF8.self))
        case .bytes: .bytes(Array(bytes[column.start..<column.end]))
        }
    }

    // MARK: - Writing

    public mutating func appendNull() { columns.append(Column(kind: .null, integer: 0, start: 0, end: 0)) }

    public mutating func append(_ number: Int64) {
        columns.append(Column(kind: .integer, integer: number, start: 0, end: 0))
    }

    public mutating func append(_ buffer: UnsafeRawBufferPointer, as kind: Kind) {
        let start = bytes.count
        bytes.append(contentsOf: buffer)
        columns.append(Column(kind: kind, integer: 0, start: start, end: bytes.count))
    }
}

extension Row {
    /// Writes all columns as they are.
    func write(to row: inout some ColumnWriter) { for index in columns.indices { write(index, to: &row) } }

    func write(_ index: Int, to row: inout some ColumnWriter) {
        let column = columns[index]
        switch column.kind {
        case .null: row.appendNull()
        case .integer: row.append(column.integer)
        case .text, .bytes:
            bytes.withUnsafeBytes {
                row.append(UnsafeRawBufferPointer(rebasing: $0[column.start..<column.end]), as: column.kind)
            }
        }
    }
}

extension Row {
    /// What is made of a row of this table.
    func read<Value>(of table: Table, _ read: (inout RowReader) throws -> Value) rethrows -> Value {
        var reader = RowReader(self, of: table.name)
        return try read(&reader)
    }
}

/// Reads a ``Row``.
public struct RowReader: ColumnReader {
    private let row: Row
    private let table: String
    private var index = 0

    public init(_ row: Row, of table: String) {
        (self.row, self.table) = (row, table)
    }

    public var isNextNull: Bool { index < row.columns.count && row.columns[index].kind == .null }

    private mutating func next(_ kind: Row.Kind) throws(UnreadableRecord) -> Row.Column? {
        guard index < row.columns.count else { throw UnreadableRecord(table: table, column: index) }
        let column = row.columns[index]
        index += 1
        if column.kind == kind { return column }
        guard column.kind == .null else { throw unreadable() }
        return nil
    }

    public mutating func optionalInteger() throws(UnreadableRecord) -> Int64? { try next(.integer)?.integer }

    public mutating func next<Value>(
        _ kind: Row.Kind,
        _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(UnreadableRecord) -> Value? {
        guard let column = try next(kind) else { return nil }
        return row.bytes.withUnsafeBytes { read(UnsafeRawBufferPointer(rebasing: $0[column.start..<column.end])) }
    }

    public func unreadable() -> UnreadableRecord { UnreadableRecord(table: table, column: index - 1) }
}

/// One record of a store, in the form in which every store has it.
public struct StoredRecord: Hashable, Sendable {
    /// The name of its table.
    public let kind: String
    public let row: Row

    public init(_ record: some Record) { self.init(Row(record), of: type(of: record).table) }
    init(_ row: Row, of table: Table) { (kind, self.row) = (table.name, row) }

    /// The key by which it is found among those of its kind.
    public var key: SQLValue { row[0] }

    public var encoded: [UInt8] { row.encoded(as: kind) }
}

extension Row {
    /// All of the row in bytes that no other row has: the table, then each column with its type and its length, so that
    /// no two lists of columns give the same bytes.
    func encoded(as table: String) -> [UInt8] {
        var bytes = Array(table.utf8)
        bytes.reserveCapacity(bytes.count + self.bytes.count + columns.count * 9)
        for column in columns {
            bytes.append(column.kind.rawValue)
            let number = column.kind == .integer ? column.integer : Int64(column.end - column.start)
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            bytes.append(contentsOf: self.bytes[column.start..<column.end])
        }
        return bytes
    }
}
