/// Reads the text of a ``DigitPattern`` by recursive descent.
struct DigitExpressionParser {
    /// More than any number has digits; it keeps a slip such as `\d{1000}` from costing memory.
    private static let longestRepetition = 20

    private var rest: Substring.UTF8View

    init(_ pattern: String) {
        rest = pattern[...].utf8
    }

    mutating func parse() -> DigitExpression? {
        guard let expression = parseAlternatives(), rest.isEmpty else { return nil }
        return expression
    }

    private mutating func parseAlternatives() -> DigitExpression? {
        guard var result = parseSequence() else { return nil }
        while take("|") {
            guard let alternative = parseSequence() else { return nil }
            result = result.or(alternative)
        }
        return result
    }

    private mutating func parseSequence() -> DigitExpression? {
        var terms: [DigitExpression] = []
        while let byte = rest.first, byte != UInt8(ascii: "|"), byte != UInt8(ascii: ")") {
            guard let atom = parseAtom(), let term = parseRepetition(of: atom) else { return nil }
            terms.append(term)
        }
        return terms.reversed().reduce(.end) { $1.then($0) }
    }

    private mutating func parseAtom() -> DigitExpression? {
        if take("(") {
            if take("?") {
                guard take(":") else { return nil }
            }
            guard let group = parseAlternatives(), take(")") else { return nil }
            return group
        }
        if take("[") { return parseClass() }
        if take("\\") { return take("d") ? .anyDigit : nil }
        return takeDigit().map { .digit(1 << $0) }
    }

    private mutating func parseClass() -> DigitExpression? {
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

    private mutating func parseRepetition(of atom: DigitExpression) -> DigitExpression? {
        if take("?") { return atom.repeated(0...1) }
        guard take("{") else { return atom }
        guard let least = takeNumber() else { return nil }
        var most = least
        if take(",") {
            guard let number = takeNumber() else { return nil }
            most = number
        }
        guard take("}"), least <= most else { return nil }
        return atom.repeated(least...most)
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
        guard let byte = rest.first, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
        rest.removeFirst()
        return Int(byte - UInt8(ascii: "0"))
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }
}

extension DigitExpression {
    /// The expression a pattern's text means; `nil` when it is not of the language of ``DigitPattern``.
    init?(pattern: String) {
        var parser = DigitExpressionParser(pattern)
        guard let expression = parser.parse() else { return nil }
        self = expression
    }
}
