public import PhoneDomain

/// The columns of one record as an engine stores them: whole numbers, texts and bytes, one after the other.
///
/// A ``Record`` writes itself to a row and reads itself from one; an engine binds a row to a statement and fills one
/// from a result. No value is boxed, and a row can be emptied and used again.
public struct Row: Hashable, Sendable {
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
    public init(_ values: [SQLValue]) {
        self.init()
        for value in values {
            switch value {
            case .null: appendNull()
            case .integer(let number): append(number)
            case .text(let text): append(text)
            case .bytes(let bytes): append(bytes)
            }
        }
    }

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

    mutating func appendNull() { columns.append(Column(kind: .null, integer: 0, start: 0, end: 0)) }

    public mutating func append(_ number: Int64) {
        columns.append(Column(kind: .integer, integer: number, start: 0, end: 0))
    }

    public mutating func append(_ text: String) {
        let start = bytes.count
        if text.utf8.withContiguousStorageIfAvailable({ bytes.append(contentsOf: $0) }) == nil {
            bytes.append(contentsOf: text.utf8)
        }
        columns.append(Column(kind: .text, integer: 0, start: start, end: bytes.count))
    }

    /// Whole numbers as a text with spaces between (``RowReader/numbers()``), where a row has a few of them that are
    /// always read and written as one.
    mutating func append(numbers count: Int, _ number: (Int) -> Int64) {
        let start = bytes.count
        for index in 0..<count {
            if index > 0 { bytes.append(UInt8(ascii: " ")) }
            let (value, first) = (number(index), bytes.count)
            var rest = value.magnitude
            repeat {
                bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
                rest /= 10
            } while rest > 0
            if value < 0 { bytes.append(UInt8(ascii: "-")) }
            bytes.withUnsafeMutableBufferPointer { $0[first...].reverse() }
        }
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

    // Columns in a line, as many as fit: each by the code of its type.
    public mutating func append<A: ColumnValue>(_ a: A) { a.write(to: &self) }

    public mutating func append<A: ColumnValue, B: ColumnValue>(_ a: A, _ b: B) {
        a.write(to: &self)
        b.write(to: &self)
    }

    public mutating func append<A: ColumnValue, B: ColumnValue, C: ColumnValue>(_ a: A, _ b: B, _ c: C) {
        append(a, b)
        c.write(to: &self)
    }

    public mutating func append<A: ColumnValue, B: ColumnValue, C: ColumnValue, D: ColumnValue>(
        _ a: A,
        _ b: B,
        _ c: C,
        _ d: D
    ) {
        append(a, b)
        append(c, d)
    }
}

/// A value that is stored as one column.
public protocol ColumnValue {
    func write(to row: inout Row)
}

extension Int64: ColumnValue {
    public func write(to row: inout Row) { row.append(self) }
}

extension String: ColumnValue {
    public func write(to row: inout Row) { row.append(self) }
}

extension Int: ColumnValue {
    public func write(to row: inout Row) { row.append(Int64(self)) }
}

extension Bool: ColumnValue {
    public func write(to row: inout Row) { row.append(self ? 1 : 0 as Int64) }
}

extension Timestamp: ColumnValue {
    public func write(to row: inout Row) { row.append(milliseconds) }
}

extension [UInt8]: ColumnValue {
    public func write(to row: inout Row) { row.append(self) }
}

extension Identifier: ColumnValue {
    /// 16 bytes, the highest first, so that identifiers are ordered by the time in front of them.
    public func write(to row: inout Row) {
        let bits = (bits.high.bigEndian, bits.low.bigEndian)
        withUnsafeBytes(of: bits) { row.append($0, as: .bytes) }
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    public func write(to row: inout Row) { if let self { self.write(to: &row) } else { row.appendNull() } }
}

/// A stored record does not hold what this program writes; nothing was changed.
public struct UnreadableRecord: Error, Hashable, CustomStringConvertible {
    public let table: String
    /// Which column of what was read, from 0.
    public let column: Int

    public init(table: String, column: Int) { (self.table, self.column) = (table, column) }

    public var description: String { "column \(column) of a row of \(table) cannot be read" }
}

/// Reads the columns of a row one after the other. Every method throws ``UnreadableRecord`` where a column does not
/// hold what it should, and says nothing of what it does hold.
public struct RowReader {
    private let row: Row
    private let table: String
    private var index = 0

    public init(_ row: Row, of table: String) {
        (self.row, self.table) = (row, table)
    }

    /// Whether the next column is NULL.
    var isNextNull: Bool { index < row.columns.count && row.columns[index].kind == .null }

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

    /// Two columns of which both have a value or neither has.
    func pair<First, Second>(
        _ first: First?,
        _ second: Second?
    ) throws(UnreadableRecord) -> (First, Second)? {
        if let first, let second { return (first, second) }
        guard first == nil, second == nil else { throw unreadable() }
        return nil
    }

    public mutating func optionalText() throws(UnreadableRecord) -> String? {
        guard let column = try next(.text) else { return nil }
        return row.bytes.withUnsafeBytes { bytes in
            String(decoding: UnsafeRawBufferPointer(rebasing: bytes[column.start..<column.end]), as: UTF8.self)
        }
    }

    /// One of few texts.
    public mutating func oneOf<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(UnreadableRecord) -> Value { try required(try optionalOneOf()) }

    mutating func optionalOneOf<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(UnreadableRecord) -> Value? {
        guard let column = try next(.text) else { return nil }
        let text = row.bytes[column.start..<column.end]
        // Compared as they lie: no text is made only to be looked up.
        let found = Value.allCases.first { value in
            let name = value.rawValue.utf8
            return name.count == text.count && name.elementsEqual(text)
        }
        return try required(found)
    }

    /// What ``Row/append(numbers:_:)`` writes.
    mutating func numbers() throws(UnreadableRecord) -> [Int64] {
        guard let column = try next(.text) else { throw unreadable() }
        var numbers: [Int64] = []
        var (value, digits, isNegative) = (Int64(0), 0, false)
        for index in column.start...column.end where column.start < column.end {
            switch index < column.end ? row.bytes[index] : UInt8(ascii: " ") {
            case UInt8(ascii: " ") where digits > 0:
                numbers.append(isNegative ? -value : value)
                (value, digits, isNegative) = (0, 0, false)
            case UInt8(ascii: "-") where digits == 0 && !isNegative: isNegative = true
            case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte && digits < 18:
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                digits += 1
            default: throw unreadable()
            }
        }
        return numbers
    }

    // Mutating, so that it is called on what the reading of its argument left.
    private mutating func required<Value>(_ value: Value?) throws(UnreadableRecord) -> Value {
        guard let value else { throw unreadable() }
        return value
    }

    public mutating func text() throws(UnreadableRecord) -> String { try required(optionalText()) }

    mutating func optionalInteger() throws(UnreadableRecord) -> Int64? { try next(.integer)?.integer }

    public mutating func integer() throws(UnreadableRecord) -> Int64 { try required(optionalInteger()) }
    public mutating func count() throws(UnreadableRecord) -> Int { Int(try integer()) }
    public mutating func flag() throws(UnreadableRecord) -> Bool { try integer() != 0 }
    public mutating func moment() throws(UnreadableRecord) -> Timestamp { Timestamp(milliseconds: try integer()) }

    mutating func optionalMoment() throws(UnreadableRecord) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    mutating func optionalBytes() throws(UnreadableRecord) -> [UInt8]? {
        try next(.bytes).map { Array(row.bytes[$0.start..<$0.end]) }
    }

    public mutating func bytes() throws(UnreadableRecord) -> [UInt8] { try required(optionalBytes()) }

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
    ) throws(UnreadableRecord) -> Identifier<Subject> { try required(optionalID(type)) }

    /// A text that must mean something, such as a language.
    public mutating func parsed<Value>(_ parse: (String) throws -> Value?) throws(UnreadableRecord) -> Value {
        let text = try text()
        return try required(try? parse(text))
    }

    public mutating func optionalParsed<Value>(_ parse: (String) throws -> Value?) throws(UnreadableRecord) -> Value? {
        guard let text = try optionalText() else { return nil }
        return try required(try? parse(text))
    }

    public mutating func number() throws(UnreadableRecord) -> PhoneNumber {
        return try parsed { try PhoneNumber(e164: $0) }
    }

    mutating func optionalNumber() throws(UnreadableRecord) -> PhoneNumber? {
        return try optionalParsed { try PhoneNumber(e164: $0) }
    }
}
