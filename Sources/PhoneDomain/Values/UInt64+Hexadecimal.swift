extension UInt64 {
    /// The 16 lower-case hexadecimal digits of this number.
    public var paddedHexadecimal: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
