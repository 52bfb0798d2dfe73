/// What people dial before a number at home, where that is more than the same digits each time: carrier codes that may stand
/// there, an area code that may be left out.
///
/// A regular expression that is tried at the beginning of what was dialled. What it matches is dropped; where it has
/// captured digits by its last group, they are put into the replacement first: in Argentina `0 11 15 2345…` is mobile number
/// `9 11 2345…`.
struct TrunkRule: Hashable, Sendable {
    /// What a rule has found at the beginning of digits.
    struct Finding {
        /// How many digits it is about.
        let count: Int
        /// What stands in their place; empty where they are simply dropped.
        let replacement: String
    }

    /// The digits from where on the expression has been read to the end of the last group, as offsets.
    private typealias Path = (end: Int, captured: Range<Int>?)

    private let replacement: String
    private let alternatives: [[DigitSyntax]]

    /// - Parameters:
    ///   - pattern: what ``DigitSyntaxParser`` reads.
    ///   - replacement: digits, in which `$` stands for what the last group has captured; empty to drop what was matched.
    /// - Returns: `nil` when it is not such a pattern.
    init?(_ pattern: String, replacement: String) {
        var parser = DigitSyntaxParser(pattern)
        guard let alternatives = parser.parse() else { return nil }
        self.replacement = replacement
        self.alternatives = alternatives.map { $0.map(\.withoutRepetitions) }
    }

    /// What the rule makes of digits; `nil` when they do not begin with anything it is about.
    func find(in digits: Substring) -> Finding? {
        let whole: [DigitSyntax] = [.group(alternatives, isCaptured: false)]
        let path = Self.follow(whole[...], in: digits.utf8, from: (0, nil)) { $0 }
        guard let path, path.end > 0 else { return nil }
        guard !replacement.isEmpty, let captured = path.captured else {
            return Finding(count: path.end, replacement: "")
        }
        let bytes = digits.utf8.dropFirst(captured.lowerBound).prefix(captured.count)
        var result = ""
        for scalar in replacement.unicodeScalars {
            if scalar == "$" { result += Substring(bytes) } else { result.unicodeScalars.append(scalar) }
        }
        return Finding(count: path.end, replacement: result)
    }

    /// Reads terms one after the other, as regular expressions are: the first alternative that lets all the rest fit.
    private static func follow(
        _ terms: ArraySlice<DigitSyntax>,
        in digits: Substring.UTF8View,
        from path: Path,
        then goOn: (Path) -> Path?
    ) -> Path? {
        guard let term = terms.first else { return goOn(path) }
        let rest = terms.dropFirst()
        switch term {
        case .digit(let set):
            guard path.end < digits.count else { return nil }
            let digit = Int(digits[digits.index(digits.startIndex, offsetBy: path.end)]) - 0x30
            guard 0..<10 ~= digit, set & (1 << digit) != 0 else { return nil }
            return follow(rest, in: digits, from: (path.end + 1, path.captured), then: goOn)
        case .group(let alternatives, let isCaptured):
            for alternative in alternatives {
                let found = follow(alternative[...], in: digits, from: path) { inner in
                    let captured = isCaptured ? path.end..<inner.end : inner.captured
                    return follow(rest, in: digits, from: (inner.end, captured), then: goOn)
                }
                if let found { return found }
            }
            return nil
        case .end:
            return path.end == digits.count ? follow(rest, in: digits, from: path, then: goOn) : nil
        case .repeated:
            return nil
        }
    }
}

extension DigitSyntax {
    /// The same with every repetition written out: `a{1,3}` as `a(?:a(?:a|)|)`.
    fileprivate var withoutRepetitions: DigitSyntax {
        switch self {
        case .digit, .end: return self
        case .group(let alternatives, let isCaptured):
            return .group(alternatives.map { $0.map(\.withoutRepetitions) }, isCaptured: isCaptured)
        case .repeated(let term, let times):
            let term = term.withoutRepetitions
            var optional: [DigitSyntax] = []
            for _ in times.lowerBound..<times.upperBound {
                optional = [.group([[term] + optional, []], isCaptured: false)]
            }
            return .group([Array(repeating: term, count: times.lowerBound) + optional], isCaptured: false)
        }
    }
}
