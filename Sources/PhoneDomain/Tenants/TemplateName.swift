/// The name of a set of message texts: 1 to 16 lower-case ASCII letters, digits and hyphens, a letter or a digit first. That
/// short, it is its own identifier of 128 bits (``hexadecimal``), and nobody has to remember which stands for which.
public struct TemplateName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    /// The texts that the service sends unless others are asked for.
    public static let standard = TemplateName(validated: "default")

    private init(validated description: String) {
        self.description = description
    }

    /// The name of this text, or nil if it is none.
    public init?(_ description: String) {
        let bytes = description.utf8
        guard (1...16).contains(bytes.count), bytes.first != UInt8(ascii: "-"), bytes.allSatisfy(\.isOfTemplateName)
        else { return nil }
        self.description = description
    }

    /// The bytes of the name as 32 lower-case hexadecimal digits, zeros behind it.
    public var hexadecimal: String {
        let bytes = Array(description.utf8) + Array(repeating: 0, count: 16 - description.utf8.count)
        return bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.utf8.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// Reads what ``hexadecimal`` wrote, in either case; nil for anything else.
    public init?(hexadecimal text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: 32, by: 2) {
            guard let byte = UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        let name = bytes.prefix { $0 != 0 }
        guard bytes.dropFirst(name.count).allSatisfy({ $0 == 0 }) else { return nil }
        self.init(String(decoding: name, as: UTF8.self))
    }
}

extension UInt8 {
    fileprivate var isOfTemplateName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
