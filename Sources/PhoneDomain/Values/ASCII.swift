extension UInt8 {
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    package var isASCIILowerCase: Bool { self >= 0x61 && self <= 0x7A }
    package var isASCIILetter: Bool { (self | 0x20).isASCIILowerCase }
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    /// RFC 3986 section 2.3.
    package var isUnreserved: Bool { isASCIIAlphanumeric || "-._~".utf8.contains(self) }

    package var isHexadecimalDigit: Bool { hexadecimalValue != nil }

    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    var lowerCaseHexadecimalValue: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}

extension String {
    /// Decodes every `%XX` (RFC 3986 section 2.1); nil if the bytes are not UTF-8.
    ///
    /// - Parameter isStrict: whether a `%` without two digits makes it nil, instead of standing for itself.
    package init?(percentDecoding text: some StringProtocol, isStrict: Bool = true) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            if byte != UInt8(ascii: "%") {
                bytes.append(byte)
            } else if let high = rest.first?.hexadecimalValue, let low = rest.dropFirst().first?.hexadecimalValue {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else if isStrict {
                return nil
            } else {
                bytes.append(byte)
            }
        }
        self.init(validating: bytes, as: UTF8.self)
    }

    /// Encodes everything but the unreserved characters as `%XX` (RFC 3986 section 2.1).
    package var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            if byte.isUnreserved {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension UInt64 {
    /// 16 lower-case hexadecimal digits.
    public var paddedHexadecimal: String {
        // Digit by digit, not by `String(_:radix:)`: every row and every response contains several IDs.
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> (60 - 4 * index)) & 0xF
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 16
        }
    }
}
