/// The parts of a text that matter to a phone number. One pass over the Unicode scalars, whatever their number.
///
/// Reading and formatting both begin here, so that a field never drops what the reading refuses.
package struct NumberScan {
    /// The most Unicode scalars, surrounding white space aside; more is no phone number however it is written.
    static let longestText = 64

    /// The decimal digits, of any script, as ASCII.
    private(set) var digits = ""
    private(set) var hasPlus = false
    /// Whether there is anything but digits, a leading plus sign, separators and invisible marks.
    package private(set) var hasForeignCharacters = false
    /// How many separators follow the last digit, or the plus sign where there is none.
    private(set) var trailingSeparators = 0
    /// Whether there are more than ``PhoneNumber/mostDigits`` digits or ``longestText`` scalars; then the rest is not
    /// read.
    private(set) var isOverlong = false

    /// `tel:` before the number is skipped (RFC 3966).
    package init(_ text: String) {
        var digitCount = 0
        var position = 0
        for scalar in Self.withoutScheme(text) {
            let element = PhoneTextElement(scalar)
            if position > 0 || element != .space { position += 1 }
            if position > Self.longestText, element != .space {
                isOverlong = true
                return
            }
            switch element {
            case .digit(let digit):
                guard digitCount < PhoneNumber.mostDigits else {
                    isOverlong = true
                    return
                }
                digitCount += 1
                digits.unicodeScalars.append(digit)
                trailingSeparators = 0
            case .plus:
                guard digitCount == 0 else {
                    hasForeignCharacters = true
                    continue
                }
                hasPlus = true
                trailingSeparators = 0
            case .space, .separator: trailingSeparators += 1
            case .invisible: break
            case .foreign: hasForeignCharacters = true
            }
        }
    }

    private static func withoutScheme(_ text: String) -> Substring.UnicodeScalarView {
        let text = text.unicodeScalars.drop { PhoneTextElement($0) == .space }
        guard text.dropFirst(3).first == ":", String(text.prefix(3)).lowercased() == "tel" else { return text }
        return text.dropFirst(4)
    }
}

extension String {
    /// What a field shows for a text that it does not read: the text itself, so that the person sees what was refused.
    /// It is short, and has no control characters, which terminals obey and PostgreSQL cannot store. Shown again, it is
    /// the same.
    package var shownAsTyped: String {
        let text = unicodeScalars.drop(while: \.properties.isWhitespace)
        var shown = UnicodeScalarView()
        for scalar in text.prefix(NumberScan.longestText) {
            let isControl = scalar.properties.generalCategory == .control
            shown.append(isControl ? (scalar.properties.isWhitespace ? " " : "\u{FFFD}") : scalar)
        }
        // Without a sign of the cut, what is left might be another number.
        if text.dropFirst(NumberScan.longestText).first != nil { shown.append("…") }
        return String(shown)
    }
}

/// What one Unicode scalar means in the text of a phone number.
package enum PhoneTextElement: Equatable {
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

    package init(_ scalar: Unicode.Scalar) {
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
        // Minus sign, full-width full stop, solidus and brackets, middle dots. Dashes are a category of their own.
        case "\u{2212}", "\u{FF0E}", "\u{FF0F}", "\u{FF08}", "\u{FF09}", "\u{FF3B}", "\u{FF3D}", "\u{B7}", "\u{30FB}",
            // What the key of the hyphen types on a Japanese keyboard: the mark of a long vowel, and its narrow form.
            "\u{30FC}", "\u{FF70}":
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

extension UInt8 {
    package var isASCIIDigit: Bool { self >= 0x30 && self <= 0x39 }
    package var isASCIILowerCase: Bool { self >= 0x61 && self <= 0x7A }
    package var isASCIILetter: Bool { (self | 0x20).isASCIILowerCase }
    package var isASCIIAlphanumeric: Bool { isASCIILetter || isASCIIDigit }
    package var isASCIIHexDigit: Bool { isASCIIDigit || (0x61...0x66).contains(self | 0x20) }
}
