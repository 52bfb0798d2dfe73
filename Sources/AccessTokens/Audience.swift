/// Whom a token is for (`aud`): one name or several (RFC 7519 section 4.1.3).
struct Audience: Codable {
    let names: [String]

    init(_ name: String) {
        names = [name]
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let name = try? container.decode(String.self) {
            names = [name]
        } else {
            names = try container.decode([String].self)
        }
    }

    /// One name as a text: there are receivers that take nothing else.
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if names.count == 1 {
            try container.encode(names[0])
        } else {
            try container.encode(names)
        }
    }
}
