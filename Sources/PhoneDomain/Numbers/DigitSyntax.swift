/// A term of a regular expression over the ten digits, as it was written.
indirect enum DigitSyntax: Hashable, Sendable {
    /// One digit of a set; bit n stands for digit n.
    case digit(UInt16)
    /// One of several sequences, the first that fits.
    case group([[DigitSyntax]], isCaptured: Bool)
    /// A term as many times in a row as the range says.
    case repeated(DigitSyntax, ClosedRange<Int>)
    /// Where the digits must end.
    case end

    static let anyDigit = DigitSyntax.digit(0b11_1111_1111)
}
