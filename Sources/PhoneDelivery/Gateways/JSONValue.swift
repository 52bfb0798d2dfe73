/// Any JSON (RFC 8259).
enum JSONValue: Hashable, Decodable {
    case null
    case bool(Bool)
    /// In its shortest form.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .number(String(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .number(String(value))
        } else if let value = try? container.decode(Double.self) {
            self = .number(value.description)
        } else if let value = try? container.decode([JSONValue].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    var object: [String: JSONValue]? { if case .object(let members) = self { members } else { nil } }
    var array: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }

    /// A whole number, also as a string: vendors write codes in both ways.
    var integer: Int? { text.flatMap { Int($0) } }

    /// A string, a number, `true` or `false` as text; nil for null, arrays and objects.
    var text: String? {
        switch self {
        case .string(let value), .number(let value): value
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// All strings in it, including keys.
    var texts: [String] {
        switch self {
        case .string(let value): [value]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.flatMap { [$0] + $1.texts }
        case .null, .bool, .number: []
        }
    }
}

/// The place of a value in JSON: `/messages/0/status` (RFC 6901).
public struct JSONPointer: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    private let tokens: [String]

    /// `nil` unless it is empty, for the whole, or begins with a slash, and every `~` is followed by 0 or 1.
    public init?(_ description: String) {
        self.description = description
        guard !description.isEmpty else {
            tokens = []
            return
        }
        guard description.hasPrefix("/") else { return nil }
        var tokens: [String] = []
        for token in description.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            let escapes = token.split(separator: "~", omittingEmptySubsequences: false).dropFirst()
            guard escapes.allSatisfy({ $0.hasPrefix("0") || $0.hasPrefix("1") }) else { return nil }
            // In this order, so that ~01 is ~1 (section 4).
            tokens.append(String(token).replacing("~1", with: "/").replacing("~0", with: "~"))
        }
        self.tokens = tokens
    }

    func value(in root: JSONValue) -> JSONValue? {
        tokens.reduce(root) { value, token in
            switch value {
            case .object(let members): return members[token]
            case .array(let elements):
                // No sign and no leading zero.
                guard let index = Int(token), String(index) == token, elements.indices ~= index else { return nil }
                return elements[index]
            default: return nil
            }
        }
    }
}
