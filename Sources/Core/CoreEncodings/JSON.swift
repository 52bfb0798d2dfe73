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
        if case .object(let members) = self { members[name] } else { nil }
    }

    /// The members of an object; none of anything else.
    public var members: [Member] { if case .object(let members) = self { members } else { [] } }

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

    /// The seconds since 1970-01-01T00:00:00Z of a NumericDate (RFC 7519 section 2) of the years 1970 to 9999, which RFC 3339
    /// can express.
    public var numericDate: Int64? {
        guard case .number(let text) = self, let seconds = Int64(text), (0...253_402_300_799).contains(seconds)
        else { return nil }
        return seconds
    }

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

extension [JSON.Member] {
    /// The member of this name. Of several the last counts, as in JavaScript.
    public subscript(name: String) -> JSON? { last { $0.name.hasSameBytes(as: name) }?.value }
}

extension JSON {
    /// The value without whitespace.
    public var text: String { String(decoding: utf8, as: UTF8.self) }

    /// The bytes of ``text``.
    public var utf8: [UInt8] {
        var bytes: [UInt8] = []
        // Most responses fit without reallocation.
        bytes.reserveCapacity(1024)
        write(to: &bytes)
        return bytes
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

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .null: bytes += "null".utf8
        case .bool(let value): bytes += (value ? "true" : "false").utf8
        case .number(let text): bytes += text.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let values):
            bytes.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            // To the end, since without a way out in the middle many bytes are looked at together.
            var count: UInt8 = 0
            for byte in utf8 { count |= mustBeEscaped(byte) ? 1 : 0 }
            if count > 0 { escape(utf8, to: &bytes) } else { bytes += utf8 }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Escapes what must be escaped (RFC 8259 section 7), and nothing else.
    private static func escape(_ utf8: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        for byte in utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): bytes += #"\n"#.utf8
            case 0x00..<0x20: bytes += (#"\u00"# + TextEncoding.hexadecimal.encode([byte])).utf8
            default: bytes.append(byte)
            }
        }
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
