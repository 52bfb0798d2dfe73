public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What a ``Record`` writes its columns to, one after the other, in the order of its table: the parameters of a
/// statement, arrays of the columns of many records, or a ``Row``.
public protocol ColumnWriter {
    mutating func appendNull()
    mutating func append(_ number: Int64)
    /// A text (in UTF-8) or bytes, which are copied.
    mutating func append(_ buffer: UnsafeRawBufferPointer, as kind: Row.Kind)
}

extension ColumnWriter {
    public mutating func append(_ text: String) {
        var text = text
        text.withUTF8 { append(UnsafeRawBufferPointer($0), as: .text) }
    }

    public mutating func append(_ value: [UInt8]) { value.withUnsafeBytes { append($0, as: .bytes) } }

    /// Whole numbers as a text with spaces between (``ColumnReader/numbers()``), where a row has a few of them that are
    /// always read and written as one.
    mutating func append(numbers count: Int, _ number: (Int) -> Int64) {
        // 19 digits, a sign and a space.
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 21 * count + 1) { bytes in
            var end = 0
            for index in 0..<count {
                if index > 0 {
                    bytes[end] = UInt8(ascii: " ")
                    end += 1
                }
                let (value, first) = (number(index), end)
                var rest = value.magnitude
                repeat {
                    bytes[end] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
                    end += 1
                    rest /= 10
                } while rest > 0
                if value < 0 {
                    bytes[end] = UInt8(ascii: "-")
                    end += 1
                }
                bytes[first..<end].reverse()
            }
            append(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[..<end]), as: .text)
        }
    }

    /// NULL where there are none.
    mutating func append(optionalNumbers numbers: [Int64]) {
        if numbers.isEmpty { appendNull() } else { append(numbers: numbers.count) { numbers[$0] } }
    }

    /// Two columns: the reference and the tags.
    mutating func append(_ labels: Labels) { append(labels.reference?.description, labels.tags?.description) }

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
    func write(to row: inout some ColumnWriter)
}

extension Int64: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(self) }
}

extension String: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(self) }
}

extension Int: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(Int64(self)) }
}

extension Bool: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(self ? 1 : 0 as Int64) }
}

extension Timestamp: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(milliseconds) }
}

extension [UInt8]: ColumnValue {
    public func write(to row: inout some ColumnWriter) { row.append(self) }
}

extension Identifier: ColumnValue {
    /// 16 bytes, the highest first, so that identifiers are ordered by the time in front of them.
    public func write(to row: inout some ColumnWriter) {
        let bits = (bits.high.bigEndian, bits.low.bigEndian)
        withUnsafeBytes(of: bits) { row.append($0, as: .bytes) }
    }
}

extension Optional: ColumnValue where Wrapped: ColumnValue {
    public func write(to row: inout some ColumnWriter) {
        if let self { self.write(to: &row) } else { row.appendNull() }
    }
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
public protocol ColumnReader {
    /// Whether the next column is NULL.
    var isNextNull: Bool { get }

    mutating func optionalInteger() throws(UnreadableRecord) -> Int64?

    /// What `read` makes of the next column, which is of this kind: a text or bytes.
    mutating func next<Value>(
        _ kind: Row.Kind,
        _ read: (UnsafeRawBufferPointer) -> Value
    ) throws(UnreadableRecord) -> Value?

    /// That the column that was read last does not hold what it should.
    func unreadable() -> UnreadableRecord
}

extension ColumnReader {
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
        try next(.text) { String(decoding: $0, as: UTF8.self) }
    }

    /// One of few texts.
    public mutating func oneOf<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(UnreadableRecord) -> Value { try required(try optionalOneOf()) }

    mutating func optionalOneOf<Value: CaseIterable & RawRepresentable<String>>(
        _ type: Value.Type = Value.self
    ) throws(UnreadableRecord) -> Value? {
        let found = try next(.text) { text in
            // Compared as they lie: no text is made only to be looked up.
            Value.allCases.first { value in
                let name = value.rawValue.utf8
                return name.count == text.count && name.elementsEqual(text)
            }
        }
        return if let found { try required(found) } else { nil }
    }

    /// What ``ColumnWriter/append(numbers:_:)`` writes.
    mutating func numbers() throws(UnreadableRecord) -> [Int64] {
        try required(try required(try next(.text) { Self.numbers(in: $0) }))
    }

    mutating func optionalNumbers() throws(UnreadableRecord) -> [Int64] {
        guard isNextNull else { return try numbers() }
        _ = try optionalText()
        return []
    }

    private static func numbers(in text: UnsafeRawBufferPointer) -> [Int64]? {
        var numbers: [Int64] = []
        var (value, digits, isNegative) = (Int64(0), 0, false)
        for index in 0...text.count where !text.isEmpty {
            switch index < text.count ? text[index] : UInt8(ascii: " ") {
            case UInt8(ascii: " ") where digits > 0:
                numbers.append(isNegative ? -value : value)
                (value, digits, isNegative) = (0, 0, false)
            case UInt8(ascii: "-") where digits == 0 && !isNegative: isNegative = true
            case let byte where UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte && digits < 18:
                value = value * 10 + Int64(byte - UInt8(ascii: "0"))
                digits += 1
            default: return nil
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

    public mutating func integer() throws(UnreadableRecord) -> Int64 { try required(optionalInteger()) }
    public mutating func count() throws(UnreadableRecord) -> Int { Int(try integer()) }
    public mutating func flag() throws(UnreadableRecord) -> Bool { try integer() != 0 }
    public mutating func moment() throws(UnreadableRecord) -> Timestamp { Timestamp(milliseconds: try integer()) }

    mutating func optionalMoment() throws(UnreadableRecord) -> Timestamp? {
        try optionalInteger().map(Timestamp.init(milliseconds:))
    }

    mutating func optionalBytes() throws(UnreadableRecord) -> [UInt8]? {
        try next(.bytes) { Array($0) }
    }

    public mutating func bytes() throws(UnreadableRecord) -> [UInt8] { try required(optionalBytes()) }

    public mutating func optionalID<Subject>(
        _ type: Identifier<Subject>.Type = Identifier<Subject>.self
    ) throws(UnreadableRecord) -> Identifier<Subject>? {
        let found = try next(.bytes) { bytes -> Identifier<Subject>? in
            guard bytes.count == 16 else { return nil }
            return Identifier(
                bits: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        return if let found { try required(found) } else { nil }
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

    mutating func labels() throws(UnreadableRecord) -> Labels {
        Labels(
            reference: try optionalText().map(Labels.Reference.init(stored:)),
            tags: try optionalParsed(Labels.Tags.init(stored:))
        )
    }

    public mutating func number() throws(UnreadableRecord) -> PhoneNumber {
        return try parsed { try PhoneNumber(e164: $0) }
    }

    mutating func optionalNumber() throws(UnreadableRecord) -> PhoneNumber? {
        return try optionalParsed { try PhoneNumber(e164: $0) }
    }
}
