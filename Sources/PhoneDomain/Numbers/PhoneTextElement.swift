/// What one Unicode scalar means in a text that holds a phone number.
enum PhoneTextElement: Equatable {
    /// A decimal digit of any script (general category Nd), as ASCII.
    case digit(Unicode.Scalar)
    /// `+` or its full-width form.
    case plus
    /// White space of any kind, no-break spaces included.
    case space
    /// A mark people put between groups: a dash of any length, a dot, a slash, a bracket.
    case separator
    /// A scalar that shows nothing: zero-width spaces and joiners, marks of writing direction, soft hyphens. Text copied
    /// from contacts and web pages is full of them.
    case invisible
    /// Anything else.
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
