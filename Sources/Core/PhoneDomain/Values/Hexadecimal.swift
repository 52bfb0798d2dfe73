extension UInt8 {
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
            _ = buffer.update(fromContentsOf: prefix.utf8)
            high.write(to: buffer, at: count)
            low.write(to: buffer, at: count + 16)
            return count + 32
        }
    }

    /// `String(_:radix:)` takes longer, and every row and every response contains several IDs.
    private func write(to buffer: UnsafeMutableBufferPointer<UInt8>, at start: Int) {
        let bytes = UnsafeMutableRawBufferPointer(buffer)
        bytes.storeBytes(of: (self >> 32).digits.bigEndian, toByteOffset: start, as: UInt64.self)
        bytes.storeBytes(of: (self & 0xFFFF_FFFF).digits.bigEndian, toByteOffset: start + 8, as: UInt64.self)
    }

    /// The digits of the lower half, one in each byte, all at once.
    private var digits: UInt64 {
        // Each step parts what lies together: 16 bits each, then 8, then 4.
        var digits = (self | self << 16) & 0x0000_FFFF_0000_FFFF
        digits = (digits | digits << 8) & 0x00FF_00FF_00FF_00FF
        digits = (digits | digits << 4) & 0x0F0F_0F0F_0F0F_0F0F
        // Of a digit above 9 the fifth bit of the digit and 6 is set.
        let letters = (digits &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return digits &+ 0x3030_3030_3030_3030 &+ letters &* UInt64(UInt8(ascii: "a") - 10 - UInt8(ascii: "0"))
    }
}

extension [UInt8] {
    /// Two lower-case hexadecimal digits a byte.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
