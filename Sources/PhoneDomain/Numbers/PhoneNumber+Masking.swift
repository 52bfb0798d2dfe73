extension PhoneNumber {
    /// The number as it may be shown and logged: `+82 10-****-5678`.
    ///
    /// The first group and the last four digits stay, so that its owner knows it again. At least three digits are hidden:
    /// where a number is too short for that, its first group is hidden instead (`+82 ****-1234`), and then the first of the
    /// last four.
    public var masked: String {
        // All of it is ASCII, and every line of the audit trail bears one.
        var written = Array(internationalFormat.utf8)
        let afterCode = callingCode.utf8.count + 1
        let count = significantDigits.utf8.count
        let firstGroup = written.dropFirst(afterCode + 1).prefix(while: Self.isDigit).count
        let end = max(count - 4, min(3, count))
        let start = end - firstGroup >= 3 ? firstGroup : 0
        var position = 0
        for index in written.indices.dropFirst(afterCode) where Self.isDigit(written[index]) {
            if start..<end ~= position { written[index] = UInt8(ascii: "*") }
            position += 1
        }
        return String(decoding: written, as: UTF8.self)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }
}

extension PhoneNumber: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The masked number; ask for ``e164`` to have the digits.
    public var description: String { masked }

    /// The masked number.
    public var debugDescription: String { masked }

    /// Shows the masked number alone, so that `dump` and failed expectations do not give the digits away.
    public var customMirror: Mirror {
        Mirror(self, children: ["masked": masked], displayStyle: .struct)
    }
}

extension PhoneNumber: Hashable {
    /// Two numbers are equal when the world dials them alike.
    public static func == (one: PhoneNumber, other: PhoneNumber) -> Bool {
        one.e164 == other.e164
    }

    /// Hashes ``e164``.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(e164)
    }
}
