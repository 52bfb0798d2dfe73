import CoreEncodings

extension String {
    /// The columns of a terminal that this takes: two for wide characters (Hangul, Hanja, kana, full-width forms,
    /// emoji; Unicode Standard Annex 11), none for those that combine with the one before, one for any other.
    var columns: Int { unicodeScalars.reduce(0) { $0 + $1.columns } }

    /// The words in lines of at most this width, in columns; nil for one line. Only a word that is longer than a line
    /// is broken.
    func wrapped(toColumns limit: Int?) -> [String] {
        guard let limit, columns > limit else { return [self] }
        var lines = [""]
        for word in split(separator: " ") {
            var word = String(word)
            if lines[lines.count - 1].columns + 1 + word.columns <= limit, !lines[lines.count - 1].isEmpty {
                lines[lines.count - 1] += " " + word
                continue
            }
            if !lines[lines.count - 1].isEmpty { lines.append("") }
            while word.columns > limit, word.count > 1 {
                var part = String(word.removeFirst())
                while let next = word.first, part.columns + String(next).columns <= limit {
                    part.append(word.removeFirst())
                }
                lines[lines.count - 1] = part
                lines.append("")
            }
            lines[lines.count - 1] = word
        }
        return lines
    }

    func padded(toColumns count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - columns))
    }
}

extension Unicode.Scalar {
    fileprivate var columns: Int {
        switch value {
        case 0x20..<0x7F: return 1
        // Vowels and final consonants of decomposed Hangul join the consonant before them.
        case 0x1160...0x11FF: return 0
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF,
            0x20000...0x3FFFD:
            return 2
        default: break
        }
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return 1
        }
    }
}

extension String {
    /// The text without characters that control a terminal or change how the rest is displayed: control and format
    /// characters, line and paragraph separators. For texts of others.
    var printable: String {
        var text = ""
        text.unicodeScalars.append(contentsOf: unicodeScalars.lazy.filter(\.isPrintable))
        return text
    }

    /// The text with JSON escapes in place of what ``printable`` leaves out.
    var escaped: String { escaping { !$0.isPrintable } }

    /// Makes safe everything that a program writes to a terminal, or to a file that may be displayed in one. Control
    /// characters except line feed and tab, including C1 ones, which start escape sequences as ESC does (ECMA-48, 5.3),
    /// and characters that reorder a line (UAX 9, 2) are escaped as in JSON (RFC 8259, section 7), so that a JSON text
    /// keeps its meaning.
    public var escapedForTerminal: String {
        // The common case: there may be a million lines of ASCII.
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A || $0 == 0x09 }) { return self }
        return escaping { $0.actsOnTerminal }
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
