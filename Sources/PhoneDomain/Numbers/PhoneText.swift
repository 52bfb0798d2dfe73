/// What a text holds of a phone number: the digits in ASCII, whether a plus sign leads them, and whether anything stands
/// among them that has no place there. One pass over the Unicode scalars, whatever their number.
struct PhoneText {
    /// How many digits are kept: more than any number has with the longest international prefix before it, so that what
    /// was typed by mistake stays to be seen.
    static let mostDigits = 20

    /// The first ``mostDigits`` of its decimal digits, of any script, as ASCII.
    private(set) var digits = ""

    /// Whether a plus sign stands before the first digit.
    private(set) var hasPlus = false

    /// Whether there is anything but digits, one leading plus sign, separators and invisible marks.
    private(set) var hasForeignCharacters = false

    /// How many separators follow the last digit kept, or the plus sign where there is none.
    private(set) var trailingSeparators = 0

    /// Whether there are more digits than are kept, or more scalars, white space at either end aside, than the limit.
    private(set) var isOverlong = false

    /// Reads a text, and stops reading as soon as it is found overlong.
    init(_ text: String, limit: Int = .max) {
        var digitCount = 0
        var position = 0
        for scalar in text.unicodeScalars {
            let element = PhoneTextElement(scalar)
            if position > 0 || element != .space { position += 1 }
            if position > limit, element != .space {
                isOverlong = true
                return
            }
            switch element {
            case .digit(let digit):
                guard digitCount < Self.mostDigits else {
                    isOverlong = true
                    return
                }
                digitCount += 1
                digits.unicodeScalars.append(digit)
                trailingSeparators = 0
            case .plus where digitCount == 0 && !hasPlus:
                hasPlus = true
                trailingSeparators = 0
            case .space, .separator:
                trailingSeparators += 1
            case .invisible:
                break
            case .plus, .foreign:
                hasForeignCharacters = true
            }
        }
    }
}
