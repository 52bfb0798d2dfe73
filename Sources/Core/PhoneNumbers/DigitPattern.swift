/// A regular expression over decimal digits, matched one digit at a time.
///
/// The language is the part of regular expressions that numbering plans use: digits, `\d`, classes such as `[016-9]`,
/// groups `( )` and `(?: )`, `|`, `?`, `{n}` and `{m,n}`, with the meaning that `Regex` gives them. It is compiled once
/// into a state table, so a match costs one look-up per digit and allocates nothing.
public struct DigitPattern: Sendable {
    /// How far digits match a pattern. Ordered: the greater, the nearer to a match.
    public enum Match: Comparable, Sendable {
        /// No number of the pattern begins like this.
        case none
        /// A number of the pattern, and more digits after it.
        case overrun
        case partial, whole
    }

    public let text: String
    /// Eleven cells a state: the states that the ten digits lead to, and whether a number may end here. State 0 is the
    /// dead one, 1 the start. One array, because a pattern is passed around at every match.
    private let table: [UInt16]
    private static let cells = 11

    /// Nil when the text is not of the language above or too large (repetitions over 20, more than 60,000 states).
    public init?(_ text: String) {
        guard let expression = DigitExpression(pattern: text) else { return nil }
        var states: [DigitExpression] = [.nothing, expression]
        var numbers: [DigitExpression: UInt16] = [.nothing: 0, expression: 1]
        var table = [UInt16](repeating: 0, count: Self.cells)
        var index = 1
        while index < states.count {
            for digit in 0..<10 {
                let following = states[index].following(digit)
                if let known = numbers[following] {
                    table.append(known)
                } else {
                    guard states.count < 60_000 else { return nil }
                    let number = UInt16(states.count)
                    numbers[following] = number
                    states.append(following)
                    table.append(number)
                }
            }
            table.append(states[index].acceptsEnd ? 1 : 0)
            index += 1
        }
        (self.text, self.table) = (text, table)
    }

    /// Anything but ASCII digits never matches.
    public func match(_ digits: some StringProtocol) -> Match { match(digits.utf8) }

    /// With `stopsAtFirst` the shortest number that the digits begin with is the whole.
    func match(_ digits: some Sequence<UInt8>, stopsAtFirst: Bool = false) -> Match {
        var state = Self.cells
        var hasMatched = table[state + 10] != 0
        for byte in digits {
            if hasMatched, stopsAtFirst { return .whole }
            let digit = Int(byte) - 0x30
            guard 0..<10 ~= digit else { return .none }
            state = Int(table[state + digit]) * Self.cells
            if state == 0 { return hasMatched ? .overrun : .none }
            if table[state + 10] != 0 { hasMatched = true }
        }
        return table[state + 10] != 0 ? .whole : .partial
    }

    /// Whether the digits, or a prefix of them, are a number of the pattern.
    public func matchesBeginning(of digits: Substring) -> Bool { match(digits.utf8, stopsAtFirst: true) == .whole }
}

extension DigitPattern: ExpressibleByStringLiteral {
    /// A pattern in source. One that does not compile matches nothing rather than end the process; the tests of a plan
    /// match a number of each of its patterns, and so find it.
    public init(stringLiteral text: String) { self = DigitPattern(text) ?? DigitPattern(nothing: text) }

    private init(nothing text: String) {
        self.text = text
        table = [UInt16](repeating: 0, count: 2 * Self.cells)
    }
}

/// A regular expression over the ten digits, to be compiled to the state table of a ``DigitPattern``.
///
/// An expression is itself a state: what may follow a digit is again an expression, its derivative (J. A. Brzozowski,
/// "Derivatives of Regular Expressions", 1964). The factories normalize expressions, so that equal states are equal
/// values and few.
indirect enum DigitExpression: Hashable, Sendable {
    /// Matches nothing, not even no digits.
    case nothing
    /// Matches no more digits.
    case end
    /// One digit of a set; bit n is digit n.
    case digit(UInt16)
    case sequence(DigitExpression, DigitExpression)
    case either(Set<DigitExpression>)

    func then(_ other: DigitExpression) -> DigitExpression {
        switch (self, other) {
        case (.nothing, _), (_, .nothing): .nothing
        case (.end, _): other
        case (_, .end): self
        case (.sequence(let first, let second), _): .sequence(first, second.then(other))
        default: .sequence(self, other)
        }
    }

    func or(_ other: DigitExpression) -> DigitExpression {
        let alternatives = alternatives.union(other.alternatives)
        return alternatives.count > 1 ? .either(alternatives) : alternatives.first ?? .nothing
    }

    private var alternatives: Set<DigitExpression> {
        switch self {
        case .nothing: []
        case .either(let alternatives): alternatives
        default: [self]
        }
    }

    func repeated(_ times: ClosedRange<Int>) -> DigitExpression {
        var result = DigitExpression.end
        for _ in times.lowerBound..<times.upperBound { result = .end.or(then(result)) }
        for _ in 0..<times.lowerBound { result = then(result) }
        return result
    }

    var acceptsEnd: Bool {
        switch self {
        case .nothing, .digit: false
        case .end: true
        case .sequence(let first, let second): first.acceptsEnd && second.acceptsEnd
        case .either(let alternatives): alternatives.contains(where: \.acceptsEnd)
        }
    }

    func following(_ digit: Int) -> DigitExpression {
        switch self {
        case .nothing, .end: return .nothing
        case .digit(let set): return set & (1 << digit) == 0 ? .nothing : .end
        case .sequence(let first, let second):
            let following = first.following(digit).then(second)
            return first.acceptsEnd ? following.or(second.following(digit)) : following
        case .either(let alternatives):
            return alternatives.reduce(.nothing) { $0.or($1.following(digit)) }
        }
    }

    init?(pattern: String) {
        var parser = DigitSyntaxParser(pattern)
        guard let alternatives = parser.parse() else { return nil }
        self.init(alternatives)
    }

    private init?(_ alternatives: [[DigitSyntax]]) {
        var result = DigitExpression.nothing
        for sequence in alternatives {
            var expression = DigitExpression.end
            for term in sequence.reversed() {
                guard let first = DigitExpression(term) else { return nil }
                expression = first.then(expression)
            }
            result = result.or(expression)
        }
        self = result
    }

    private init?(_ term: DigitSyntax) {
        switch term {
        case .digit(let set): self = .digit(set)
        case .group(let alternatives, _): self.init(alternatives)
        case .repeated(let term, let times):
            guard let expression = DigitExpression(term) else { return nil }
            self = expression.repeated(times)
        case .end: return nil
        }
    }
}
