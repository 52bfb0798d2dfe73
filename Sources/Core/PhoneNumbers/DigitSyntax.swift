/// A term of a regular expression over the ten digits, as it was written.
indirect enum DigitSyntax: Sendable {
    /// One digit of a set; bit n is digit n.
    case digit(UInt16)
    /// One of several sequences, the first that fits.
    case group([[DigitSyntax]], isCaptured: Bool)
    case repeated(DigitSyntax, ClosedRange<Int>)
    /// Where the digits must end.
    case end
}

/// A recursive-descent parser of regular expressions over digits: digits, `\d`, classes, groups, `|`, `?`, `{n}`,
/// `{m,n}`, `$`.
struct DigitSyntaxParser {
    /// More digits than any number has; it keeps a slip such as `\d{1000}` from costing memory.
    private static let longestRepetition = 20
    private var rest: Substring.UTF8View
    init(_ pattern: String) { rest = pattern[...].utf8 }

    mutating func parse() -> [[DigitSyntax]]? {
        guard let alternatives = try? parseAlternatives(), rest.isEmpty else { return nil }
        return alternatives
    }

    private struct Malformed: Error {}

    private mutating func parseAlternatives() throws(Malformed) -> [[DigitSyntax]] {
        var result = [try parseSequence()]
        while take("|") { result.append(try parseSequence()) }
        return result
    }

    private mutating func parseSequence() throws(Malformed) -> [DigitSyntax] {
        var terms: [DigitSyntax] = []
        while let byte = rest.first, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            let atom = try parseAtom()
            terms.append(try parseRepetition(of: atom))
        }
        return terms
    }

    private mutating func parseAtom() throws(Malformed) -> DigitSyntax {
        if take("(") {
            let isCaptured = !take("?")
            if !isCaptured { try require(":") }
            let group = try parseAlternatives()
            try require(")")
            return .group(group, isCaptured: isCaptured)
        }
        if take("[") { return try parseClass() }
        if take("\\") {
            try require("d")
            return .digit(0b11_1111_1111)
        }
        return take("$") ? .end : .digit(1 << (try takeDigit()))
    }

    private mutating func parseClass() throws(Malformed) -> DigitSyntax {
        var set: UInt16 = 0
        while !take("]") {
            let first = try takeDigit()
            let last = take("-") ? try takeDigit() : first
            guard first <= last else { throw Malformed() }
            for digit in first...last { set |= 1 << digit }
        }
        guard set != 0 else { throw Malformed() }
        return .digit(set)
    }

    private mutating func parseRepetition(of atom: DigitSyntax) throws(Malformed) -> DigitSyntax {
        if take("?") { return .repeated(atom, 0...1) }
        guard take("{") else { return atom }
        let least = try takeNumber()
        let most = take(",") ? try takeNumber() : least
        try require("}")
        guard least <= most else { throw Malformed() }
        return .repeated(atom, least...most)
    }

    private mutating func takeNumber() throws(Malformed) -> Int {
        var number = try takeDigit()
        while rest.first?.isASCIIDigit ?? false {
            number = number * 10 + (try takeDigit())
            guard number <= Self.longestRepetition else { throw Malformed() }
        }
        return number
    }

    private mutating func takeDigit() throws(Malformed) -> Int {
        guard let byte = rest.first, byte.isASCIIDigit else { throw Malformed() }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func require(_ scalar: Unicode.Scalar) throws(Malformed) {
        guard take(scalar) else { throw Malformed() }
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }
}
