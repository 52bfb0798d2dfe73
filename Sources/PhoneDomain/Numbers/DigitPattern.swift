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

    /// Eleven cells a state: the states that the ten digits lead to, and whether a number may end here. State 0 is the one
    /// nothing leads out of, 1 is the start. One array, for a pattern is handed around at every match.
    private let table: [UInt16]
    private static let cells = 11

    /// Compiles a pattern; `nil` when the text is not of the language above or asks for too much
    /// (a repetition of more than 20, more than 60,000 states).
    public init?(_ text: String) {
        guard let expression = DigitExpression(pattern: text) else { return nil }
        self.init(text, expression)
    }

    private init?(_ text: String, _ expression: DigitExpression) {
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
        self.text = text
        self.table = table
    }

    /// How far the digits get in the pattern. Anything but ASCII digits never matches.
    public func match(_ digits: Substring) -> Match {
        match(digits.utf8)
    }

    /// How far the digits, in ASCII, get in the pattern.
    func match(_ digits: some Sequence<UInt8>) -> Match {
        var state = Self.cells
        var hasMatched = table[state + 10] != 0
        for byte in digits {
            let digit = Int(byte) - 0x30
            guard 0..<10 ~= digit else { return .none }
            state = Int(table[state + digit]) * Self.cells
            if state == 0 { return hasMatched ? .overrun : .none }
            if table[state + 10] != 0 { hasMatched = true }
        }
        return table[state + 10] != 0 ? .whole : .partial
    }

    /// Whether the digits, or some of them from the first on, are a number of the pattern.
    public func matchesBeginning(of digits: Substring) -> Bool {
        var state = Self.cells
        if table[state + 10] != 0 { return true }
        for byte in digits.utf8 {
            let digit = Int(byte) - 0x30
            guard 0..<10 ~= digit else { return false }
            state = Int(table[state + digit]) * Self.cells
            if table[state + 10] != 0 { return true }
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
        table = [UInt16](repeating: 0, count: 2 * Self.cells)
    }
}
