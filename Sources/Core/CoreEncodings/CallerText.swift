/// What makes texts of callers safe to compare. Swift's `==`, `<` and hashing go by what a text looks like: they
/// normalise it, a thousand times as slowly as bytes are compared.
extension StringProtocol {
    /// Whether both have the same code points, as names in protocols must (RFC 8259 section 8.3).
    public func hasSameBytes(as other: some StringProtocol) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String {
    /// The text with JSON escapes (RFC 8259 section 7) in place of some scalars. By scalars, because a grapheme cluster
    /// may contain a control character.
    package func escaping(_ isEscaped: (Unicode.Scalar) -> Bool) -> String {
        unicodeScalars.reduce(into: "") { text, scalar in
            guard isEscaped(scalar) else { return text.unicodeScalars.append(scalar) }
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            }
        }
    }

    /// The most combining marks in a row of the Stream-Safe Text Format (UAX #15 section 13).
    public static let mostMarks = 30

    /// Whether no more than ``mostMarks`` combining marks stand in a row; no language has so many. Swift sorts the marks
    /// of a row in each comparison, which takes the square of their number.
    public var isStreamSafe: Bool {
        // The lead byte of U+0300, the first of them.
        var (text, greatest) = (self, UInt8(0))
        text.withUTF8 { for byte in $0 { greatest = max(greatest, byte) } }
        guard greatest >= 0xCC else { return true }
        var marks = 0
        for scalar in unicodeScalars {
            let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
            marks = isMark ? marks + 1 : 0
            if marks > Self.mostMarks { return false }
        }
        return true
    }
}

extension Substring {
    /// The text with its ASCII letters in lower case, and all else as it is. Protocols that ignore case mean these
    /// letters alone (RFC 5234 section 2.3), while `lowercased()` also makes U+212A (KELVIN SIGN) a `k`.
    public var asciiLowercased: String {
        String(unsafeUninitializedCapacity: utf8.count) { buffer in
            buffer.update(fromContentsOf: utf8.lazy.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 })
        }
    }
}

extension String {
    /// ``Swift/Substring/asciiLowercased`` of the whole text.
    public var asciiLowercased: String { self[...].asciiLowercased }
}
