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
    public var text: String {
        var text = ""
        write(to: &text)
        return text
    }

    /// Writes the value without whitespace.
    public func write(to output: inout some TextOutputStream) {
        switch self {
        case .null: output.write("null")
        case .bool(let value): output.write(value ? "true" : "false")
        case .number(let text): output.write(text)
        case .string(let text): Self.write(text, to: &output)
        case .array(let values):
            output.write("[")
            for (index, value) in values.enumerated() {
                if index > 0 { output.write(",") }
                value.write(to: &output)
            }
            output.write("]")
        case .object(let members):
            output.write("{")
            for (index, member) in members.enumerated() {
                if index > 0 { output.write(",") }
                Self.write(member.name, to: &output)
                output.write(":")
                member.value.write(to: &output)
            }
            output.write("}")
        }
    }

    private static func write(_ text: String, to output: inout some TextOutputStream) {
        output.write("\"")
        output.write(text.utf8.contains(where: mustBeEscaped) ? escaped(text) : text)
        output.write("\"")
    }

    /// Escapes what must be escaped (RFC 8259 section 7), and nothing else.
    private static func escaped(_ text: String) -> String {
        var escaped: [UInt8] = []
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): escaped += [UInt8(ascii: "\\"), byte]
            case UInt8(ascii: "\n"): escaped += #"\n"#.utf8
            case 0x00..<0x20: escaped += (#"\u00"# + TextEncoding.hexadecimal.encode([byte])).utf8
            default: escaped.append(byte)
            }
        }
        return String(decoding: escaped, as: UTF8.self)
    }

    private static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
