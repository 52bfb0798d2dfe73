/// Any JSON (RFC 8259).
enum JSONValue: Hashable, Decodable {
    case null
    case bool(Bool)
    /// As its shortest form is written.
    case number(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
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

    /// A single value as text: a string as it is, a number, `true` or `false`; nil for null, arrays and objects.
    var text: String? {
        switch self {
        case .string(let value), .number(let value): value
        case .bool(let value): String(value)
        case .null, .array, .object: nil
        }
    }

    /// All strings in it, names among them.
    var texts: [String] {
        switch self {
        case .string(let value): [value]
        case .array(let values): values.flatMap(\.texts)
        case .object(let members): members.flatMap { [$0] + $1.texts }
        case .null, .bool, .number: []
        }
    }
}
