/// A term of a regular expression over the ten digits, as it was written.
indirect enum DigitSyntax: Hashable, Sendable {
    /// One digit of a set; bit n is digit n.
    case digit(UInt16)
    /// One of several sequences, the first that fits.
    case group([[DigitSyntax]], isCaptured: Bool)
    case repeated(DigitSyntax, ClosedRange<Int>)
    /// Where the digits must end.
    case end

    static let anyDigit = DigitSyntax.digit(0b11_1111_1111)
}

/// A recursive-descent parser of regular expressions over digits: digits, `\d`, classes, groups, `|`, `?`, `{n}`,
/// `{m,n}`, `$`.
struct DigitSyntaxParser {
    /// More digits than any number has; it keeps a slip such as `\d{1000}` from costing memory.
    private static let longestRepetition = 20
    private var rest: Substring.UTF8View
    init(_ pattern: String) { rest = pattern[...].utf8 }

    mutating func parse() -> [[DigitSyntax]]? {
        guard let alternatives = parseAlternatives(), rest.isEmpty else { return nil }
        return alternatives
    }

    private mutating func parseAlternatives() -> [[DigitSyntax]]? {
        guard let first = parseSequence() else { return nil }
        var result = [first]
        while take("|") {
            guard let alternative = parseSequence() else { return nil }
            result.append(alternative)
        }
        return result
    }

    private mutating func parseSequence() -> [DigitSyntax]? {
        var terms: [DigitSyntax] = []
        while let byte = rest.first, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            guard let atom = parseAtom(), let term = parseRepetition(of: atom) else { return nil }
            terms.append(term)
        }
        return terms
    }

    private mutating func parseAtom() -> DigitSyntax? {
        if take("(") {
            let isCaptured = !take("?")
            guard isCaptured || take(":"), let group = parseAlternatives(), take(")") else { return nil }
            return .group(group, isCaptured: isCaptured)
        }
        if take("[") { return parseClass() }
        if take("\\") { return take("d") ? .anyDigit : nil }
        if take("$") { return .end }
        return takeDigit().map { .digit(1 << $0) }
    }

    private mutating func parseClass() -> DigitSyntax? {
        var set: UInt16 = 0
        while !take("]") {
            guard let first = takeDigit() else { return nil }
            var last = first
            if take("-") {
                guard let end = takeDigit(), end >= first else { return nil }
                last = end
            }
            for digit in first...last { set |= 1 << digit }
        }
        return set == 0 ? nil : .digit(set)
    }

    private mutating func parseRepetition(of atom: DigitSyntax) -> DigitSyntax? {
        if take("?") { return .repeated(atom, 0...1) }
        guard take("{") else { return atom }
        guard let least = takeNumber() else { return nil }
        var most = least
        if take(",") {
            guard let number = takeNumber() else { return nil }
            most = number
        }
        guard take("}"), least <= most else { return nil }
        return .repeated(atom, least...most)
    }

    private mutating func takeNumber() -> Int? {
        guard var number = takeDigit() else { return nil }
        while let digit = takeDigit() {
            number = number * 10 + digit
            guard number <= Self.longestRepetition else { return nil }
        }
        return number
    }

    private mutating func takeDigit() -> Int? {
        guard let byte = rest.first, byte.isASCIIDigit else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }
}
