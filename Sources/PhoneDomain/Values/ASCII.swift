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
        String(unsafeUninitializedCapacity: 16) { buffer in
            write(to: buffer, at: 0)
            return 16
        }
    }

    /// The 32 lower-case hexadecimal digits of both, behind a short prefix.
    static func hexadecimal(_ high: UInt64, _ low: UInt64, behind prefix: String) -> String {
        let count = prefix.utf8.count
        return String(unsafeUninitializedCapacity: count + 32) { buffer in
            for (index, byte) in prefix.utf8.enumerated() { buffer[index] = byte }
            high.write(to: buffer, at: count)
            low.write(to: buffer, at: count + 16)
            return count + 32
        }
    }

    /// Digit by digit, not by `String(_:radix:)`: every row and every response contains several IDs.
    private func write(to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        for index in 0..<16 {
            let digit = UInt8(truncatingIfNeeded: self >> (60 - 4 * index)) & 0xF
            buffer[start + index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
        }
    }
}
