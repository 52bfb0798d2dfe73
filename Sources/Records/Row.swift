public import PhoneDomain

/// The columns of one record as an engine stores them: whole numbers, texts and bytes, one after the other.
///
/// A record writes itself to a row and reads itself from one (``Record``); an engine binds a row to a statement and fills one
/// from a result. So neither knows the other, no value is boxed, and a row can be emptied and used again.
public struct Row: Hashable, Sendable {
    /// What a column holds.
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

    /// A row without a column.
    public init() {}

    /// The columns of a record.
    public init(_ record: some Record) { record.write(to: &self) }

    /// Empties the row, and keeps its memory.
    public mutating func removeAll() {
        columns.removeAll(keepingCapacity: true)
        bytes.removeAll(keepingCapacity: true)
    }

    /// Whether a column of both rows is the same.
    public func hasSameColumn(_ index: Int, as other: Row) -> Bool {
        let (one, two) = (columns[index], other.columns[index])
        guard one.kind == two.kind, one.integer == two.integer, one.end - one.start == two.end - two.start else {
            return false
        }
        return one.start == one.end || bytes[one.start..<one.end] == other.bytes[two.start..<two.end]
    }

    /// One column as a value for a statement.
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

    public mutating func append(_ text: String) {
        let start = bytes.count
        bytes.append(contentsOf: text.utf8)
        columns.append(Column(kind: .text, integer: 0, start: start, end: bytes.count))
    }

    public mutating func append(_ value: [UInt8]) {
        let start = bytes.count
        bytes.append(contentsOf: value)
        columns.append(Column(kind: .bytes, integer: 0, start: start, end: bytes.count))
    }

    /// What an engine has read, which is copied.
    public mutating func append(_ buffer: UnsafeRawBufferPointer, as kind: Kind) {
        let start = bytes.count
        bytes.append(contentsOf: buffer)
        columns.append(Column(kind: kind, integer: 0, start: start, end: bytes.count))
    }

    /// 16 bytes, the highest first, so that identifiers are ordered by the time in front of them.
    public mutating func append<Subject>(_ id: Identifier<Subject>) {
        let start = bytes.count
        let bits = id.bits
        withUnsafeBytes(of: bits.high.bigEndian) { bytes.append(contentsOf: $0) }
        withUnsafeBytes(of: bits.low.bigEndian) { bytes.append(contentsOf: $0) }
        columns.append(Column(kind: .bytes, integer: 0, start: start, end: bytes.count))
    }

    public mutating func append(_ number: Int) { append(Int64(number)) }
    public mutating func append(_ flag: Bool) { append(flag ? 1 : 0 as Int64) }
    public mutating func append(_ moment: Timestamp) { append(moment.milliseconds) }
    public mutating func append(_ text: String?) { if let text { append(text) } else { appendNull() } }
    public mutating func append(_ number: Int?) { if let number { append(number) } else { appendNull() } }
    public mutating func append(_ value: [UInt8]?) { if let value { append(value) } else { appendNull() } }
    public mutating func append(_ moment: Timestamp?) { if let moment { append(moment) } else { appendNull() } }
    public mutating func append<Subject>(_ id: Identifier<Subject>?) {
        if let id { append(id) } else { appendNull() }
    }
}

/// A value for a parameter of a statement.
public enum SQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case text(String)
    case bytes([UInt8])

    public static func integer(_ number: Int) -> SQLValue { .integer(Int64(number)) }
    public static func moment(_ moment: Timestamp) -> SQLValue { .integer(moment.milliseconds) }
    public static func text(_ text: String?) -> SQLValue { text.map { .text($0) } ?? .null }

    /// The 16 bytes of an identifier, as they are stored.
    public static func id<Subject>(_ id: Identifier<Subject>) -> SQLValue {
        var row = Row()
        row.append(id)
        return .bytes(row.bytes)
    }

    public static func id<Subject>(_ id: Identifier<Subject>?) -> SQLValue { id.map { .id($0) } ?? .null }
}

/// A stored record does not hold what this program writes; nothing was changed.
public struct UnreadableRecord: Error, Hashable, CustomStringConvertible {
    public let table: String
    /// Which column of what was read, from 0.
    public let column: Int

    public init(table: String, column: Int) {
        self.table = table
        self.column = column
    }

    public var description: String { "column \(column) of a row of \(table) cannot be read" }
}

/// Reads the columns of a row one after the other. Every method throws ``UnreadableRecord`` where a column does not hold what
/// it should, and says nothing of what it does hold.
public struct RowReader {
    /// By which stored numbers are read.
    public let plans: NumberingPlans
    private let row: Row
    private let table: String
    private var index = 0

    public init(_ row: Row, of table: String, plans: NumberingPlans) {
        self.row = row
        self.table = table
        self.plans = plans
    }

    /// Whether the next column is NULL.
    public var isNextNull: Bool { index < row.columns.count && row.columns[index].kind == .null }

    private mutating func next(_ kind: Row.Kind) throws(UnreadableRecord) -> Row.Column? {
        guard index < row.columns.count else { throw UnreadableRecord(table: table, column: index) }
        let column = row.columns[index]
        index += 1
        if column.kind == kind { return column }
        guard column.kind == .null else { throw unreadable() }
        return nil
    }

    /// That the column that was read last does not hold what it should.
    public func unreadable() -> UnreadableRecord { UnreadableRecord(table: table, column: index - 1) }

    public mutating func optionalText() throws(UnreadableRecord) -> String? {
        guard let column = try next(.text) else { return nil }
        return row.bytes.withUnsafeBytes { bytes in
            String(decoding: UnsafeRawBufferPointer(rebasing: bytes[column.start..<column.end]), as: UTF8.self)
        }
    }

    public mutating func text() throws(UnreadableRecord) -> String {
        guard let text = try optionalText() else { throw unreadable() }
        return text
    }

    public mutating func optionalInteger() throws(UnreadableRecord) -> Int64? { try next(.integer)?.integer }

    public mutating func integer() throws(UnreadableRecord) -> Int64 {
        guard let number = try optionalInteger() else { throw unreadable() }
        return number
    }

    public mutating func count() throws(UnreadableRecord) -> Int { Int(try integer()) }
    public mutating func flag() throws(UnreadableRecord) -> Bool { try integer() != 0 }
    public mutating func moment() throws(UnreadableRecord) -> Timestamp { Timestamp(milliseconds: try integer()) }

    public mutating func optionalMoment() throws(UnreadableRecord) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    public mutating func optionalBytes() throws(UnreadableRecord) -> [UInt8]? {
        try next(.bytes).map { Array(row.bytes[$0.start..<$0.end]) }
    }

    public mutating func bytes() throws(UnreadableRecord) -> [UInt8] {
        guard let bytes = try optionalBytes() else { throw unreadable() }
        return bytes
    }

    public mutating func optionalID<Subject>(
        _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(UnreadableRecord) -> Identifier<Subject>? {
        guard let column = try next(.bytes) else { return nil }
        guard column.end - column.start == 16 else { throw unreadable() }
        return row.bytes.withUnsafeBytes { bytes in
            Identifier(
                bits: UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: column.start, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: column.start + 8, as: UInt64.self))
            )
        }
    }

    public mutating func id<Subject>(
        _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(UnreadableRecord) -> Identifier<Subject> {
        guard let id: Identifier<Subject> = try optionalID() else { throw unreadable() }
        return id
    }

    /// A text that must mean something, such as a language.
    public mutating func parsed<Value>(_ parse: (String) throws -> Value?) throws(UnreadableRecord) -> Value {
        let text = try text()
        guard let value = try? parse(text) else { throw unreadable() }
        return value
    }

    public mutating func optionalParsed<Value>(
        _ parse: (String) throws -> Value?
    ) throws(UnreadableRecord) -> Value? {
        guard let text = try optionalText() else { return nil }
        guard let value = try? parse(text) else { throw unreadable() }
        return value
    }

    public mutating func number() throws(UnreadableRecord) -> PhoneNumber {
        let plans = plans
        return try parsed { try PhoneNumber(e164: $0, plans: plans) }
    }

    public mutating func optionalNumber() throws(UnreadableRecord) -> PhoneNumber? {
        let plans = plans
        return try optionalParsed { try PhoneNumber(e164: $0, plans: plans) }
    }
}
