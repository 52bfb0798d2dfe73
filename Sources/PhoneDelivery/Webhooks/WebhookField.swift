import PhoneDomain

/// A value in what is told of an event.
enum WebhookField: Encodable, ExpressibleByStringLiteral, ExpressibleByBooleanLiteral, ExpressibleByNilLiteral {
    case text(String)
    case flag(Bool)
    case count(Int)
    case nothing

    init(stringLiteral value: String) { self = .text(value) }
    init(booleanLiteral value: Bool) { self = .flag(value) }
    init(nilLiteral: ()) { self = .nothing }

    /// What describes itself as it is to be read; nothing for nil.
    static func text(of value: (some CustomStringConvertible)?) -> WebhookField {
        value.map { .text($0.description) } ?? .nothing
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .flag(let flag): try container.encode(flag)
        case .count(let count): try container.encode(count)
        case .nothing: try container.encodeNil()
        }
    }
}
