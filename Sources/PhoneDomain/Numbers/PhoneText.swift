/// The parts of a text that matter to a phone number. One pass over the Unicode scalars, whatever their number.
struct PhoneText {
    /// How many digits are kept: more than any dialled number has, so that mistakes remain visible.
    static let mostDigits = 20

    /// The first ``mostDigits`` of its decimal digits, of any script, as ASCII.
    private(set) var digits = ""
    private(set) var hasPlus = false
    /// Whether there is anything but digits, one leading plus sign, separators and invisible marks.
    private(set) var hasForeignCharacters = false
    /// How many separators follow the last digit kept, or the plus sign where there is none.
    private(set) var trailingSeparators = 0
    /// Whether there are more digits than are kept, or more scalars, surrounding white space aside, than the limit.
    private(set) var isOverlong = false

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
            case .space, .separator: trailingSeparators += 1
            case .invisible: break
            case .plus, .foreign: hasForeignCharacters = true
            }
        }
    }
}

/// What one Unicode scalar means in the text of a phone number.
enum PhoneTextElement: Equatable {
    /// A decimal digit of any script (general category Nd), as ASCII.
    case digit(Unicode.Scalar)
    /// `+` or its full-width form.
    case plus
    /// White space of any kind, including no-break spaces.
    case space
    /// A dash of any length, a dot, a slash, a bracket.
    case separator
    /// Zero-width spaces and joiners, marks of writing direction, soft hyphens. Text copied from contacts and web pages
    /// is full of them.
    case invisible
    case foreign

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "0"..."9": self = .digit(scalar)
        case "-", ".", "/", "(", ")", "[", "]": self = .separator
        case "+": self = .plus
        case " ": self = .space
        case _ where scalar.isASCII: self = scalar.properties.isWhitespace ? .space : .foreign
        default: self.init(beyondASCII: scalar)
        }
    }

    private init(beyondASCII scalar: Unicode.Scalar) {
        switch scalar {
        case "\u{FF0B}": self = .plus
        // Minus sign, full-width full stop, solidus and brackets, middle dot. Dashes are a category of their own.
        case "\u{2212}", "\u{FF0E}", "\u{FF0F}", "\u{FF08}", "\u{FF09}", "\u{FF3B}", "\u{FF3D}", "\u{B7}":
            self = .separator
        default:
            switch scalar.properties.generalCategory {
            case .decimalNumber:
                let digit = Character(scalar).wholeNumberValue.flatMap(UInt8.init(exactly:)) ?? 0
                self = .digit(Unicode.Scalar(UInt8(ascii: "0") + digit))
            case .dashPunctuation: self = .separator
            case .format: self = .invisible
            default: self = scalar.properties.isWhitespace ? .space : .foreign
            }
        }
    }
}

// Digits are ASCII, one byte each: working on bytes avoids finding character boundaries.
extension Substring {
    /// What follows a prefix of ASCII digits; nil when the digits do not begin with it.
    func after(_ prefix: String) -> Substring? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return Substring(utf8.dropFirst(prefix.utf8.count))
    }
}
