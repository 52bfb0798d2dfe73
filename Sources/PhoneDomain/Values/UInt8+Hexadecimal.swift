extension UInt8 {
    /// The value of this lower-case hexadecimal digit, or nil if it is none.
    var lowerCaseHexadecimalValue: UInt64? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(self - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(self - UInt8(ascii: "a") + 10)
        default: nil
        }
    }
}
