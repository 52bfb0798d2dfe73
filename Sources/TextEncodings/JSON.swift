/// A JSON value (RFC 8259).
///
/// The order of members and explicit nulls are part of the contract, and this type, unlike `Codable`, shows both in the
/// code. Parsing is strict: Foundation's decoder accepts `{"a":1,}` and `01`, and cannot say which member has a number
/// that is too large.
public enum JSON: Hashable, Sendable {
    public struct Member: Hashable, Sendable {
        public let name: String
        public let value: JSON

        public init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// The number as it is written, so that none loses precision.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    public static func string(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    @inlinable
    public static func integer(_ value: (some BinaryInteger)?) -> JSON { value.map { .number(String($0)) } ?? .null }
}

extension JSON: ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral {
    public init(dictionaryLiteral members: (String, JSON)...) { self = .object(members.map { Member($0.0, $0.1) }) }
    public init(arrayLiteral values: JSON...) { self = .array(values) }
    public init(nilLiteral: ()) { self = .null }
}

extension JSON: ExpressibleByBooleanLiteral, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(stringLiteral text: String) { self = .string(text) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension JSON {
    /// A member of an object. Of several with one name the last counts, as in JavaScript.
    public subscript(name: String) -> JSON? {
        if case .object(let members) = self { members.last { $0.name == name }?.value } else { nil }
    }

    public var array: [JSON]? { if case .array(let values) = self { values } else { nil } }
    public var string: String? { if case .string(let text) = self { text } else { nil } }
    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    public var isObject: Bool { if case .object = self { true } else { false } }

    /// A string, a number, `true` or `false` as text.
    public var scalarText: String? {
        switch self {
        case .string(let text), .number(let text): text
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// A whole number, also one that is written as a string.
    public var integer: Int? { scalarText.flatMap { Int($0) } }

    /// All strings in it, including the names of members. Of several members with one name the last counts.
    public var strings: [String] {
        switch self {
        case .string(let text): [text]
        case .array(let values): values.flatMap(\.strings)
        case .object(let members):
            Dictionary(members.map { ($0.name, $0.value) }) { $1 }.flatMap { [$0] + $1.strings }
        case .null, .bool, .number: []
        }
    }
}

extension JSON {
    /// The value without whitespace.
    public var text: String { withUTF8 { String(decoding: $0, as: UTF8.self) } }

    /// The bytes of ``text``.
    public var utf8: [UInt8] { withUTF8 { Array($0) } }

    /// Does something with the bytes of ``text``, which are there for so long.
    public func withUTF8<Value>(_ work: (UnsafeRawBufferPointer) throws -> Value) rethrows -> Value {
        var writer = Writer()
        defer { writer.memory.deallocate() }
        write(to: &writer)
        return try work(UnsafeRawBufferPointer(rebasing: writer.memory[..<writer.count]))
    }

    /// The value as people read it: each member and element on a line of its own.
    public var indentedText: String { indentedText(margin: "\n") }

    private func indentedText(margin: String) -> String {
        let inner = margin + "  "
        let (values, open, close): ([String], String, String)
        switch self {
        case .array(let elements): (values, open, close) = (elements.map { $0.indentedText(margin: inner) }, "[", "]")
        case .object(let members):
            values = members.map { "\(JSON.string($0.name).text): \($0.value.indentedText(margin: inner))" }
            (open, close) = ("{", "}")
        case .null, .bool, .number, .string: return text
        }
        return values.isEmpty ? open + close : open + inner + values.joined(separator: "," + inner) + margin + close
    }

    private func write(to writer: inout Writer) {
        switch self {
        case .null: writer.append("null")
        case .bool(let value): writer.append(value ? "true" : "false")
        case .number(let text): writer.append(text)
        case .string(let text): writer.appendString(text)
        case .array(let values):
            writer.append("[" as Unicode.Scalar)
            for (index, value) in values.enumerated() {
                if index > 0 { writer.append("," as Unicode.Scalar) }
                value.write(to: &writer)
            }
            writer.append("]" as Unicode.Scalar)
        case .object(let members):
            writer.append("{" as Unicode.Scalar)
            for (index, member) in members.enumerated() {
                if index > 0 { writer.append("," as Unicode.Scalar) }
                writer.appendString(member.name)
                writer.append(":" as Unicode.Scalar)
                member.value.write(to: &writer)
            }
            writer.append("}" as Unicode.Scalar)
        }
    }

    /// Writes bytes one after the other: every response is written by it, and an array of bytes takes three times as long.
    private struct Writer {
        /// Most responses fit.
        private(set) var memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1024, alignment: 8)
        private(set) var count = 0

        private mutating func makeRoom(for more: Int) {
            guard memory.count - count < more else { return }
            let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + more), alignment: 8)
            larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: memory[..<count]))
            memory.deallocate()
            memory = larger
        }

        mutating func append(_ character: Unicode.Scalar) { append(UInt8(ascii: character)) }

        private mutating func append(_ byte: UInt8) {
            makeRoom(for: 1)
            memory[count] = byte
            count += 1
        }

        mutating func append(_ text: String) {
            var text = text
            text.withUTF8 { append($0) }
        }

        private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
            makeRoom(for: bytes.count)
            UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: UnsafeRawBufferPointer(bytes))
            count += bytes.count
        }

        mutating func appendString(_ text: String) {
            var text = text
            append("\"" as Unicode.Scalar)
            text.withUTF8 { utf8 in
                guard Self.mustEscape(UnsafeRawBufferPointer(utf8)) else { return append(utf8) }
                for byte in utf8 { appendEscaped(byte) }
            }
            append("\"" as Unicode.Scalar)
        }

        /// Escapes what must be escaped (RFC 8259 section 7), and nothing else.
        private mutating func appendEscaped(_ byte: UInt8) {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"):
                append("\\" as Unicode.Scalar)
                append(byte)
            case UInt8(ascii: "\n"): append(#"\n"#)
            case 0x00..<0x20: append(#"\u00"# + TextEncoding.hexadecimal.encode([byte]))
            default: append(byte)
            }
        }

        /// Eight bytes at a time; what is said of a word is true if it is true of one of its bytes
        /// (https://graphics.stanford.edu/~seander/bithacks.html, "Determine if a word has a byte less than n").
        private static func mustEscape(_ bytes: UnsafeRawBufferPointer) -> Bool {
            func hasByte(of word: UInt64, less limit: UInt64) -> Bool {
                (word &- 0x0101_0101_0101_0101 &* limit) & ~word & 0x8080_8080_8080_8080 != 0
            }
            func mustEscape(_ word: UInt64) -> Bool {
                hasByte(of: word, less: 0x20) || hasByte(of: word ^ 0x2222_2222_2222_2222, less: 1)
                    || hasByte(of: word ^ 0x5C5C_5C5C_5C5C_5C5C, less: 1)
            }
            var start = 0
            while bytes.count - start >= 8 {
                if mustEscape(bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)) { return true }
                start += 8
            }
            return bytes[start...].contains { mustEscape(0x2020_2020_2020_2000 | UInt64($0)) }
        }
    }
}
