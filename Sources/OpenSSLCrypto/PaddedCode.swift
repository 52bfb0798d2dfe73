internal import PhoneDomain

/// A code as it is encrypted: its digits and then zero bytes, sixteen in all, however many digits there are.
enum PaddedCode {
    private static let byteCount = 16

    static func bytes(of code: VerificationCode) -> [UInt8] {
        let digits = Array(code.digits.utf8)
        return digits + repeatElement(0, count: byteCount - digits.count)
    }

    /// The code that these bytes hold; nil if they are not what ``bytes(of:)`` makes.
    static func code(in bytes: [UInt8]) -> VerificationCode? {
        let digits = bytes.prefix { $0 != 0 }
        guard bytes.count == byteCount, bytes[digits.endIndex...].allSatisfy({ $0 == 0 }) else { return nil }
        return VerificationCode(String(decoding: digits, as: UTF8.self))
    }
}
