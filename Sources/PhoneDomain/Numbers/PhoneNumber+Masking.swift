extension PhoneNumber {
    /// The number as it may be shown and logged: `+82 10-****-5678`.
    ///
    /// The first group and the last four digits stay, so that its owner knows it again. At least three digits are hidden:
    /// where a number is too short for that, its first group is hidden instead (`+82 ****-1234`), and then the first of the
    /// last four.
    public var masked: String {
        let written = internationalFormat
        let count = significantDigits.count
        let firstGroup = written.dropFirst(callingCode.count + 2).prefix { $0.isWholeNumber }.count
        let end = max(count - 4, min(3, count))
        let start = end - firstGroup >= 3 ? firstGroup : 0
        var result = "+\(callingCode)"
        var position = 0
        for character in written.dropFirst(callingCode.count + 1) {
            guard character.isWholeNumber else {
                result.append(character)
                continue
            }
            result.append(start..<end ~= position ? "*" : character)
            position += 1
        }
        return result
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
