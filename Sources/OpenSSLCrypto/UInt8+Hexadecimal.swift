extension UInt8 {
    /// The two lower-case hexadecimal digits of this byte, in ASCII.
    var hexadecimalDigits: (high: UInt8, low: UInt8) {
        (Self.hexadecimalDigit(self >> 4), Self.hexadecimalDigit(self & 0xF))
    }

    /// What this ASCII character stands for as a hexadecimal digit of either case; nil if it is none.
    var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }

    private static func hexadecimalDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
