import PhoneNumbers

/// The digits that a person receives and types back: text, not a number, so that `000042` keeps its zeros.
/// A code never appears in a log, a trace or a crash report: its descriptions are dots.
public struct VerificationCode: Hashable, Sendable {
    /// From 4, the shortest that peers offer, to 10, the longest. Below 6 a code has under 20 bits, less than NIST SP
    /// 800-63B section 5.1.3.2 asks for.
    public static let lengths = 4...10

    public let digits: String

    /// Nil unless the text is 4 to 10 ASCII digits.
    public init?(_ digits: String) {
        let bytes = digits.utf8
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ $0.isASCIIDigit }) else { return nil }
        self.digits = digits
    }

    /// The one reading of a code that a person typed, wherever it was: separators and invisible marks are skipped as in
    /// a phone number, and digits of other scripts (full-width ones, from a Korean or Japanese keyboard) become ASCII.
    /// Nil for anything else.
    public init?(typed text: String) {
        guard let digits = Self.digits(typed: text) else { return nil }
        self.init(digits)
    }

    /// What a code field shows for this text: its digits, as ASCII; where there is something else, or more digits than
    /// a code can have, the text as it was typed.
    public static func format(_ text: String) -> String { digits(typed: text) ?? text.shownAsTyped }

    /// Nil where there is something else, or too many digits.
    private static func digits(typed text: String) -> String? {
        guard text.utf8.count <= longestTyped else { return nil }
        var digits = ""
        for scalar in text.unicodeScalars {
            switch PhoneTextElement(scalar) {
            case .digit(let digit) where digits.utf8.count < lengths.upperBound: digits.unicodeScalars.append(digit)
            case .space, .separator, .invisible: break
            case .digit, .plus, .foreign: return nil
            }
        }
        return digits
    }

    /// The longest text that is read, in bytes: far more than a code between spaces and invisible marks.
    private static let longestTyped = 1024

    /// The first digits in a message that are a code, such as those of `Your code is 494918. It expires in 10 min.`: a
    /// run of digits as a whole, as ASCII. A part of a longer run, such as a telephone number, is none, nor is one with
    /// a Latin letter beside it, as in a code with a slip.
    public static func digits(inMessage text: String, where isCode: (String) -> Bool) -> String? {
        var (run, followsLetter) = ("", false)
        for scalar in text.unicodeScalars.prefix(longestMessage) {
            if case .digit(let digit) = PhoneTextElement(scalar) {
                // One more than a code can have is enough to know that it is none.
                if run.utf8.count <= lengths.upperBound { run.unicodeScalars.append(digit) }
            } else {
                let isLetter = scalar.isASCII && scalar.properties.isAlphabetic
                if lengths.contains(run.utf8.count), !followsLetter, !isLetter, isCode(run) { return run }
                (run, followsLetter) = ("", isLetter)
            }
        }
        return lengths.contains(run.utf8.count) && !followsLetter && isCode(run) ? run : nil
    }

    /// The most characters that are read: a text message of ten segments. A longer text is read no further.
    public static let longestMessage = 1530
}

extension VerificationCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { String(repeating: "•", count: digits.utf8.count) }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
