/// A pattern of decimal digits, written as a regular expression and matched one digit at a time.
///
/// The language is the part of regular expressions that numbering plans use: digits, `\d`, classes such as `[016-9]`,
/// groups `( )` and `(?: )`, `|`, `?`, `{n}` and `{m,n}`. A text of it means the same to `Regex` as here. It is compiled
/// once into a table of states, so that a match costs one look-up per digit and allocates nothing.
public struct DigitPattern: Sendable {
    /// How far digits got in a pattern. Ordered: the greater, the nearer to a match.
    public enum Match: Comparable, Sendable {
        /// No number of the pattern begins like this.
        case none
        /// A number of the pattern, and more digits than it has.
        case overrun
        /// The beginning of a number of the pattern.
        case partial
        /// A whole number of the pattern.
        case whole
    }

    /// The pattern as it was written; a valid argument of `Regex.init(_:)`.
    public let text: String

    /// Ten cells a state: the state that each digit leads to. State 0 is the one nothing leads out of, 1 is the start.
    private let next: [UInt16]
    private let isFinal: [Bool]

    /// Compiles a pattern; `nil` when the text is not of the language above or asks for too much
    /// (a repetition of more than 20, more than 60,000 states).
    public init?(_ text: String) {
        guard let expression = DigitExpression(pattern: text) else { return nil }
        self.init(text, expression)
    }

    private init?(_ text: String, _ expression: DigitExpression) {
        var states: [DigitExpression] = [.nothing, expression]
        var numbers: [DigitExpression: UInt16] = [.nothing: 0, expression: 1]
        var next = [UInt16](repeating: 0, count: 10)
        var index = 1
        while index < states.count {
            for digit in 0..<10 {
                let following = states[index].following(digit)
                if let known = numbers[following] {
                    next.append(known)
                } else {
                    guard states.count < 60_000 else { return nil }
                    let number = UInt16(states.count)
                    numbers[following] = number
                    states.append(following)
                    next.append(number)
                }
            }
            index += 1
        }
        self.text = text
        self.next = next
        isFinal = states.map(\.acceptsEnd)
    }

    /// How far the digits get in the pattern. Anything but ASCII digits never matches.
    public func match(_ digits: Substring) -> Match {
        digits.utf8.withContiguousStorageIfAvailable(match) ?? match(Array(digits.utf8))
    }

    private func match(_ digits: some Sequence<UInt8>) -> Match {
        var state = 1
        var hasMatched = isFinal[state]
        for byte in digits {
            let digit = Int(byte) - 0x30
            guard 0..<10 ~= digit else { return .none }
            state = Int(next[state * 10 + digit])
            if state == 0 { return hasMatched ? .overrun : .none }
            if isFinal[state] { hasMatched = true }
        }
        return isFinal[state] ? .whole : .partial
    }

    /// Whether the digits, or some of them from the first on, are a number of the pattern.
    public func matchesBeginning(of digits: Substring) -> Bool {
        digits.utf8.withContiguousStorageIfAvailable(matchesBeginning) ?? matchesBeginning(of: Array(digits.utf8))
    }

    private func matchesBeginning(of digits: some Sequence<UInt8>) -> Bool {
        var state = 1
        if isFinal[state] { return true }
        for byte in digits {
            let digit = Int(byte) - 0x30
            guard 0..<10 ~= digit else { return false }
            state = Int(next[state * 10 + digit])
            if isFinal[state] { return true }
        }
        return false
    }

    /// How far the digits get in the pattern. Anything but ASCII digits never matches.
    public func match(_ digits: String) -> Match {
        match(digits[...])
    }
}

extension DigitPattern: Hashable {
    /// Two patterns are equal when they are written alike.
    public static func == (one: DigitPattern, other: DigitPattern) -> Bool {
        one.text == other.text
    }

    /// Hashes the pattern as it is written.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

extension DigitPattern: ExpressibleByStringLiteral {
    /// A pattern in source. One that does not compile matches nothing, rather than end the process; the tests of a plan
    /// match a number of each of its patterns, and so find it.
    public init(stringLiteral text: String) {
        self = DigitPattern(text) ?? DigitPattern(nothing: text)
    }

    private init(nothing text: String) {
        self.text = text
        next = [UInt16](repeating: 0, count: 20)
        isFinal = [false, false]
    }
}
