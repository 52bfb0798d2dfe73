import HTTPTypes
import Hummingbird

extension Request {
    /// The name and the password of the `Authorization` field (RFC 7617 section 2), the scheme in any case; nil if there
    /// are none.
    var basicCredentials: (name: String, password: String)? {
        let parts = headers[.authorization]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Self.bytes(base64: parts[1]),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// RFC 4648 section 4, the padding of which may be left out.
    private static func bytes(base64 text: Substring) -> [UInt8]? {
        let digits = text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed()
        guard text.utf8.count - digits.count <= 2, digits.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        var bits = 0
        for (index, digit) in digits.enumerated() {
            guard let value = value(ofBase64: digit) else { return nil }
            bits = (bits << 6 | value) & 0xFFF
            // The first of four digits gives no whole byte yet.
            let left = [6, 4, 2, 0][index % 4]
            if left < 6 { bytes.append(UInt8(truncatingIfNeeded: bits >> left)) }
        }
        return bytes
    }

    private static func value(ofBase64 digit: UInt8) -> Int? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(digit - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(digit - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(digit - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
