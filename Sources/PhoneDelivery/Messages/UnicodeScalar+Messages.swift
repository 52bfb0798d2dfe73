extension Unicode.Scalar {
    /// Whether this is a control character, a line break of any kind or a byte order mark: nothing that text within a line
    /// may bear.
    var isControlOrLineBreak: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: self == "\u{FEFF}"
        }
    }

    /// Whether this may stand in what others than the operator put into a message: nothing that ends a line, hides, or turns
    /// the direction of the text around it. The two joiners that Persian and the scripts of India are written with are no
    /// such thing (U+200C, U+200D).
    var mayStandInName: Bool {
        if self == "\u{200C}" || self == "\u{200D}" { return true }
        return !isControlOrLineBreak && properties.generalCategory != .format
            && !properties.isDefaultIgnorableCodePoint
    }

    /// How an error names the character, so that one which looks like another, or like nothing, can be found.
    var nameInError: String {
        let hexadecimal = String(value, radix: 16, uppercase: true)
        let code = "U+" + String(repeating: "0", count: max(0, 4 - hexadecimal.count)) + hexadecimal
        let isVisible = !isControlOrLineBreak && properties.generalCategory != .format
        return isVisible ? "'\(self)' (\(code))" : code
    }
}
