extension String {
    /// The text with every `%XX` taken for the byte that it stands for (RFC 3986 section 2.1); nil if a `%` has no two
    /// digits behind it, or the bytes are no UTF-8.
    init?(percentDecoding text: some StringProtocol) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        var rest = text.utf8.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next()?.hexadecimalValue, let low = rest.next()?.hexadecimalValue else { return nil }
            bytes.append(high << 4 | low)
        }
        self.init(validating: bytes, as: UTF8.self)
    }

    /// The text with all but the unreserved characters (RFC 3986 section 2.3) as `%XX`.
    var percentEncoded: String {
        utf8.reduce(into: "") { text, byte in
            if byte.isUnreserved {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

extension UInt8 {
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    /// Whether this is an ASCII digit of base 16, in either case.
    var isHexadecimalDigit: Bool { hexadecimalValue != nil }

    /// Whether this is an ASCII letter or digit, or one of `-`, `.`, `_`, `~`.
    var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
