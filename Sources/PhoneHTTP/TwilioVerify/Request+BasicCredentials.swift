import HTTPTypes
import Hummingbird
import PhoneDomain

extension Request {
    /// The name and the secret of the `Authorization` field, by the scheme Basic (RFC 7617 section 2) in any case; nil if there
    /// are none.
    var basicCredentials: (name: String, secret: SecretToken)? {
        let parts = headers[.authorization]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "basic", let bytes = Self.decodeBase64(parts[1].utf8),
            let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        return (String(text[..<colon]), SecretToken(String(text[text.index(after: colon)...])))
    }

    /// The bytes of a text in base64 (RFC 4648 section 4), with or without padding; nil for anything else.
    private static func decodeBase64(_ text: Substring.UTF8View) -> [UInt8]? {
        var bytes: [UInt8] = []
        var (bits, count) = (UInt32(0), 0)
        var digits = text
        while digits.last == UInt8(ascii: "=") { digits.removeLast() }
        for digit in digits {
            guard let value = sextet(digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }

    private static func sextet(_ digit: UInt8) -> UInt8? {
        switch digit {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): digit - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): digit - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
