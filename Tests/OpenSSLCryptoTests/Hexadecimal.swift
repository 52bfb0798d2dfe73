@testable import OpenSSLCrypto

extension [UInt8] {
    /// The bytes that these hexadecimal digits stand for.
    init(hexadecimal digits: String) {
        let values = digits.utf8.compactMap(\.hexadecimalValue)
        precondition(values.count == digits.utf8.count && values.count.isMultiple(of: 2))
        self = stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
    }

    var hexadecimal: String {
        String(decoding: flatMap { [$0.hexadecimalDigits.high, $0.hexadecimalDigits.low] }, as: UTF8.self)
    }
}

extension SecretBytes {
    var hexadecimal: String { withUnsafeBytes { Array($0).hexadecimal } }
}
