internal import PhoneDomain

/// A code as it is encrypted: its digits and then zero bytes, sixteen in all, however many digits there are.
enum PaddedCode {
    private static let byteCount = 16

    /// - Parameter text: the digits of a code, or what was typed for one: at most sixteen bytes, none of them zero.
    static func bytes(of text: String) -> [UInt8] {
        let digits = Array(text.utf8.prefix(byteCount))
        return digits + repeatElement(0, count: byteCount - digits.count)
    }

    /// The text that these bytes hold; nil if they are not what ``bytes(of:)`` makes.
    static func text(in bytes: [UInt8]) -> String? {
        let digits = bytes.prefix { $0 != 0 }
        guard bytes.count == byteCount, bytes[digits.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
        return String(decoding: digits, as: UTF8.self)
    }
}
