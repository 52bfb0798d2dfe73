extension String {
    /// How many columns of a terminal this takes: two for what East Asian scripts draw wide (Hangul, Hanja, kana and
    /// full-width forms, emoji; Unicode Standard Annex 11), one for anything else. Enough for texts of our own.
    var columns: Int {
        unicodeScalars.reduce(0) { $0 + ($1.isWide ? 2 : 1) }
    }

    /// Filled with spaces up to this number of columns.
    func padded(toColumns count: Int) -> String {
        self + String(repeating: " ", count: Swift.max(0, count - columns))
    }
}

extension Unicode.Scalar {
    fileprivate var isWide: Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
            0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }
}
