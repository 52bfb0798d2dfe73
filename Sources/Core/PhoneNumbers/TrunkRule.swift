/// What people dial before a number at home, where it is not the same digits each time: carrier codes that may be
/// inserted, an area code that may be omitted.
///
/// A regular expression that is tried at the beginning of what was dialled. What it matches is dropped; where its last
/// group captured digits, the replacement with those digits takes its place: in Argentina `0 11 15 2345…` is mobile
/// number `9 11 2345…`.
public struct TrunkRule: Sendable {
    struct Finding {
        let count: Int
        /// What takes their place; empty where they are dropped.
        let replacement: String
    }

    /// How far the expression has matched, and what the last group captured, as offsets.
    private typealias Path = (end: Int, captured: Range<Int>?)
    private let replacement: String
    private let alternatives: [[DigitSyntax]]

    /// In `replacement` `$` stands for what the last group captured; empty to drop the match. Nil when the pattern is
    /// not of the language of ``DigitPattern``.
    public init?(_ pattern: String, replacement: String) {
        var parser = DigitSyntaxParser(pattern)
        guard let alternatives = parser.parse() else { return nil }
        self.replacement = replacement
        self.alternatives = alternatives
    }

    func find(in digits: Substring) -> Finding? {
        let whole: [DigitSyntax] = [.group(alternatives, isCaptured: false)]
        let path = Self.follow(whole[...], in: digits.utf8, from: (0, nil)) { $0 }
        guard let path, path.end > 0 else { return nil }
        guard !replacement.isEmpty, let captured = path.captured
        else { return Finding(count: path.end, replacement: "") }
        let bytes = digits.utf8.dropFirst(captured.lowerBound).prefix(captured.count)
        var result = ""
        for scalar in replacement.unicodeScalars {
            if scalar == "$" { result += Substring(bytes) } else { result.unicodeScalars.append(scalar) }
        }
        return Finding(count: path.end, replacement: result)
    }

    /// Matches terms one after the other, with the backtracking of regular expressions: the first alternative that lets
    /// all the rest match.
    private static func follow(
        _ terms: ArraySlice<DigitSyntax>,
        in digits: Substring.UTF8View,
        from path: Path,
        then match: (Path) -> Path?
    ) -> Path? {
        guard let term = terms.first else { return match(path) }
        let rest = terms.dropFirst()
        switch term {
        case .digit(let set):
            guard path.end < digits.count else { return nil }
            let digit = Int(digits[digits.index(digits.startIndex, offsetBy: path.end)]) - 0x30
            guard 0..<10 ~= digit, set & (1 << digit) != 0 else { return nil }
            return follow(rest, in: digits, from: (path.end + 1, path.captured), then: match)
        case .group(let alternatives, let isCaptured):
            for alternative in alternatives {
                let found = follow(alternative[...], in: digits, from: path) { inner in
                    let captured = isCaptured ? path.end..<inner.end : inner.captured
                    return follow(rest, in: digits, from: (inner.end, captured), then: match)
                }
                if let found { return found }
            }
            return nil
        case .end:
            return path.end == digits.count ? follow(rest, in: digits, from: path, then: match) : nil
        case .repeated(let term, let times):
            if times.upperBound > 0 {
                let others = DigitSyntax.repeated(term, max(0, times.lowerBound - 1)...times.upperBound - 1)
                if let found = follow([term, others] + rest, in: digits, from: path, then: match) { return found }
            }
            return times.lowerBound > 0 ? nil : follow(rest, in: digits, from: path, then: match)
        }
    }
}
