import FoundationEssentials

/// What is told a gateway in JSON, written alike every time.
enum GatewayJSON {
    static let contentType = "application/json; charset=utf-8"

    /// The bytes of a value that JSON can express; `nil` if it cannot.
    static func bytes(of value: some Encodable) -> [UInt8]? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return (try? encoder.encode(value)).map(Array.init)
    }

    /// Reads a value; nil if there is none, or it is another.
    static func read<Value: Decodable>(_ type: Value.Type, from bytes: [UInt8]?) -> Value? {
        bytes.flatMap { try? JSONDecoder().decode(type, from: Data($0)) }
    }
}
