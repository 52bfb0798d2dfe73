extension String {
    /// Without what would act on a terminal instead of showing there, or change how the rest reads: control and format
    /// characters, line and paragraph separators. For texts that others wrote.
    var printable: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.lazy.filter(\.isPrintable))
        return text
    }

    /// The same, with what ``printable`` leaves out shown as an escape of JSON.
    var escaped: String { escaping { !$0.isPrintable } }

    /// For everything that a program writes to a terminal, or to a file that somebody shows in one: control characters but
    /// for line feed and tab, C1 ones included, which start escape sequences as ESC does (ECMA-48, 5.3), and characters that
    /// reorder a line (UAX 9, 2) are escaped as in JSON (RFC 8259, section 7), so that a JSON text keeps its meaning.
    public var escapedForTerminal: String {
        // Most texts are ASCII, and there may be a million lines of them.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return self }
        return escaping { $0.actsOnTerminal }
    }

    /// By scalar: within a grapheme cluster a control character may follow another scalar.
    private func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        var text = ""
        for scalar in unicodeScalars {
            guard isEscaped(scalar) else {
                text.unicodeScalars.append(scalar)
                continue
            }
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
        return text
    }
}

extension Unicode.Scalar {
    fileprivate var isPrintable: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: false
        default: true
        }
    }

    fileprivate var actsOnTerminal: Bool {
        if self == "\n" || self == "\t" { return false }
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: return true
        default: return properties.isBidiControl
        }
    }
}
