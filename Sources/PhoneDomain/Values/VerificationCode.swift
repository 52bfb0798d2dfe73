/// The digits that a person receives and types back: text, not a number, so that `000042` keeps its zeros.
///
/// A code never appears in a log, a trace or a crash report: every description of it is a row of dots.
public struct VerificationCode: Hashable, Sendable {
    /// How many digits a code may have: from 4, as the shortest that peers offer, to 10, as the longest.
    /// Below 6 a code has under 20 bits, less than NIST SP 800-63B section 5.1.3.2 asks for.
    public static let lengths = 4...10

    /// The digits, ASCII `0` to `9` only.
    public let digits: String

    /// The code with these digits, or nil unless they are 4 to 10 ASCII digits.
    public init?(_ digits: String) {
        let bytes = digits.utf8
        guard Self.lengths.contains(bytes.count), bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.digits = digits
    }

    /// The code that a person means who typed this: spaces and hyphens between the digits are passed over and digits
    /// of other scripts (full-width ones, from a Korean or Japanese keyboard) are taken for what they mean. Anything
    /// else in the text makes it no code.
    public init?(typed text: String) {
        guard text.utf8.count <= 64, text.unicodeScalars.allSatisfy({ $0.decimalValue != nil || $0.isCodeSeparator })
        else { return nil }
        self.init(Self.digits(in: text, limit: Self.lengths.upperBound + 1))
    }

    /// What a code field shows for this text: the digits in it, as ASCII, and no more of them than a code can have.
    public static func clean(_ text: String) -> String {
        digits(in: text, limit: lengths.upperBound)
    }

    private static func digits(in text: String, limit: Int) -> String {
        var digits = ""
        for scalar in text.unicodeScalars.prefix(64) where digits.utf8.count < limit {
            if let value = scalar.decimalValue { digits.append(String(value)) }
        }
        return digits
    }
}

extension VerificationCode: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { String(repeating: "•", count: digits.utf8.count) }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Unicode.Scalar {
    fileprivate var decimalValue: Int? {
        // Asking for a property of a character takes longer than all else that a field does at a key.
        if isASCII { return ("0"..."9").contains(self) ? Int(value - Unicode.Scalar("0").value) : nil }
        return properties.numericType == .decimal ? properties.numericValue.map { Int($0) } : nil
    }

    fileprivate var isCodeSeparator: Bool {
        properties.isWhitespace || properties.generalCategory == .dashPunctuation
    }
}
