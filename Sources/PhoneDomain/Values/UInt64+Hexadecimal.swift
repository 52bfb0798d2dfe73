extension UInt64 {
    /// The 16 lower-case hexadecimal digits of this number.
    public var paddedHexadecimal: String {
        // Digit by digit, and not by `String(_:radix:)`: every row and every answer bears several identifiers.
        String(unsafeUninitializedCapacity: 16) { buffer in
            for index in 0..<16 {
                let digit = UInt8(truncatingIfNeeded: self >> (60 - 4 * index)) & 0xF
                buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
            }
            return 16
        }
    }
}
