extension UInt8 {
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    package var isASCIILowerCase: Bool { self >= 0x61 && self <= 0x7A }
    package var isASCIILetter: Bool { (self | 0x20).isASCIILowerCase }
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }

    var lowerCaseHexadecimalValue: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        default: nil
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
