/// A regular expression over the ten digits, on its way to the table of states of a ``DigitPattern``.
///
/// An expression is itself a state: what may follow after a digit is again an expression, its derivative
/// (J. A. Brzozowski, "Derivatives of Regular Expressions", 1964). The factories keep expressions in one shape, so that
/// equal states are equal values and their number stays small.
indirect enum DigitExpression: Hashable, Sendable {
    /// No digits at all can satisfy it.
    case nothing
    /// The end: satisfied by no more digits.
    case end
    /// One digit of a set; bit n stands for digit n.
    case digit(UInt16)
    /// One expression, then another.
    case sequence(DigitExpression, DigitExpression)
    /// One of several expressions.
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

    /// The expression as many times in a row as the range says.
    func repeated(_ times: ClosedRange<Int>) -> DigitExpression {
        var result = DigitExpression.end
        for _ in times.lowerBound..<times.upperBound {
            result = .end.or(then(result))
        }
        for _ in 0..<times.lowerBound {
            result = then(result)
        }
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

    /// What must follow once this digit has been read.
    func following(_ digit: Int) -> DigitExpression {
        switch self {
        case .nothing, .end:
            return .nothing
        case .digit(let set):
            return set & (1 << digit) == 0 ? .nothing : .end
        case .sequence(let first, let second):
            let following = first.following(digit).then(second)
            return first.acceptsEnd ? following.or(second.following(digit)) : following
        case .either(let alternatives):
            return alternatives.reduce(.nothing) { $0.or($1.following(digit)) }
        }
    }
}

extension DigitExpression {
    /// The expression a pattern's text means; `nil` when it is not of the language of ``DigitPattern``.
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
