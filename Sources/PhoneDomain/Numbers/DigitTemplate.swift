/// How digits are grouped for the eye: every `X` is a digit, all else stands for itself, as in `XXX-XXXX-XXXX`.
public struct DigitTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The template as it was written.
    public let text: String

    /// How many digits it takes.
    public let digitCount: Int

    /// A template of any text.
    public init(_ text: String) {
        self.text = text
        digitCount = text.utf8.count { $0 == UInt8(ascii: "X") }
    }

    /// A template in source.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// How many digits stand before the first separator that follows one.
    var firstGroupCount: Int {
        text.utf8.drop { $0 != UInt8(ascii: "X") }.prefix { $0 == UInt8(ascii: "X") }.count
    }

    /// Puts digits into the template from the left and stops with the last of them.
    ///
    /// - Parameters:
    ///   - digits: ASCII digits; those beyond the template's follow ungrouped, none is ever lost.
    ///   - trailing: how many of the separators that come next are wanted, when the digits end a group.
    /// - Returns: the digits, grouped.
    func filled(with digits: Substring, trailing: Int = 0) -> String {
        var result = ""
        var rest = digits.unicodeScalars[...]
        var separators = ""
        for scalar in text.unicodeScalars {
            if scalar != "X" {
                separators.unicodeScalars.append(scalar)
            } else if let digit = rest.popFirst() {
                result += separators
                result.unicodeScalars.append(digit)
                separators = ""
            } else {
                break
            }
        }
        result.unicodeScalars.append(contentsOf: rest)
        result.unicodeScalars.append(contentsOf: separators.unicodeScalars.prefix(trailing))
        return result
    }
}
