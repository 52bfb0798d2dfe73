/// How digits are grouped for the eye: every `X` is a digit, every `_` a digit that is not written, all else stands for itself,
/// as in `XXX-XXXX-XXXX`. Argentina's mobile numbers are `9…` abroad and `_XX 15-XXXX-XXXX` at home.
public struct DigitTemplate: Hashable, Sendable, ExpressibleByStringLiteral {
    private static let digit = UInt8(ascii: "X")
    private static let hiddenDigit = UInt8(ascii: "_")

    /// The template as it was written.
    public let text: String

    /// How many digits it takes.
    public let digitCount: Int

    /// Whether it shows all digits it is given and no others, as it must while they are typed.
    let keepsDigits: Bool

    /// A template of any text.
    public init(_ text: String) {
        self.text = text
        digitCount = text.utf8.count { $0 == Self.digit || $0 == Self.hiddenDigit }
        keepsDigits = text.utf8.allSatisfy { $0 != Self.hiddenDigit && !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0) }
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
        // In one piece and without growing: this runs at every key that is pressed.
        String(unsafeUninitializedCapacity: text.utf8.count + digits.utf8.count) { buffer in
            var count = 0
            var separators = 0
            var rest = digits.utf8[...]
            func append(_ byte: UInt8) {
                buffer[count] = byte
                count += 1
            }
            for byte in text.utf8 {
                if byte == Self.hiddenDigit {
                    _ = rest.popFirst()
                } else if byte != Self.digit {
                    // Written now, and taken back unless a digit follows.
                    append(byte)
                    separators += 1
                } else if let digit = rest.popFirst() {
                    append(digit)
                    separators = 0
                } else {
                    break
                }
            }
            let wanted = rest.isEmpty ? min(trailing, separators) : 0
            count -= separators - wanted
            rest.forEach(append)
            return count
        }
    }
}
