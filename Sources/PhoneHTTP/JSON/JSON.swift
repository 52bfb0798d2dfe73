/// A JSON value (RFC 8259).
///
/// Bodies are few and small, and what they promise is their exact shape: members in the order in which the documentation
/// has them, and a `null` that is there to be seen. Written down so, rather than by way of `Codable`, both can be read
/// off the code. And what comes in is read to the letter: Foundation's decoder lets `{"a":1,}` and `01` pass and cannot
/// say in which member a number is too large.
enum JSON: Hashable, Sendable {
    /// A name and its value.
    struct Member: Hashable, Sendable {
        let name: String
        let value: JSON

        init(_ name: String, _ value: JSON) {
            self.name = name
            self.value = value
        }
    }

    case null
    case bool(Bool)
    /// A number as it is written, so that none is too large or too fine to be kept.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    static func string(_ text: String?) -> JSON { text.map { .string($0) } ?? .null }

    static func integer(_ value: (some BinaryInteger)?) -> JSON { value.map { .number(String($0)) } ?? .null }
}

extension JSON: ExpressibleByDictionaryLiteral {
    init(dictionaryLiteral members: (String, JSON)...) {
        self = .object(members.map { Member($0.0, $0.1) })
    }
}

extension JSON: ExpressibleByNilLiteral {
    init(nilLiteral: ()) {
        self = .null
    }
}

extension JSON: ExpressibleByBooleanLiteral {
    init(booleanLiteral value: Bool) {
        self = .bool(value)
    }
}

extension JSON: ExpressibleByStringLiteral {
    init(stringLiteral text: String) {
        self = .string(text)
    }
}

extension JSON: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) {
        self = .integer(value)
    }
}

extension JSON: ExpressibleByArrayLiteral {
    init(arrayLiteral values: JSON...) {
        self = .array(values)
    }
}
