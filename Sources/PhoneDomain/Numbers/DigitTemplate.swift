/// How digits are grouped for the eye: every `X` is a digit, every `_` a digit that is not written, all else stands for itself,
/// as in `XXX-XXXX-XXXX`. Argentina's mobile numbers are `9…` abroad and `_XX 15-XXXX-XXXX` at home.
public struct DigitTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    /// The template as it was written.
    public let text: String

    /// How many digits it takes.
    public let digitCount: Int

    /// Whether it shows all digits it is given and no others, as it must while they are typed.
    let keepsDigits: Bool

    /// A template of any text.
    public init(_ text: String) {
        self.text = text
        digitCount = text.utf8.count { $0 == UInt8(ascii: "X") || $0 == UInt8(ascii: "_") }
        keepsDigits = text.utf8.allSatisfy { $0 != UInt8(ascii: "_") && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
    }

    /// A template in source.
    public init(stringLiteral text: String) {
        self.init(text)
    }

    /// What stands before the first digit.
    var beginning: Substring {
        text.prefix { $0 != "X" && $0 != "_" }
    }

    /// The digits of a number as the template writes them, without the separators.
    func digits(of number: Substring) -> String {
        var result = ""
        for scalar in filled(with: number).unicodeScalars where "0"..."9" ~= scalar {
            result.unicodeScalars.append(scalar)
        }
        return result
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
            if scalar == "_" {
                rest.removeFirst(min(1, rest.count))
            } else if scalar != "X" {
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
