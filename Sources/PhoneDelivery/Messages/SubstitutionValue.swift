/// The value of a template's own variable in one message, such as the number of an order.
///
/// The message carries it to somebody who trusts the sender, so that whoever may ask for messages must not be able to say
/// much by it: nothing that a phone makes a link of, no line of its own, and none that binds the code to another web host.
struct SubstitutionValue: Sendable, Equatable {
    /// The value as given.
    let description: String

    /// `nil` unless the value is 1 to 20 Unicode scalars with no space at either end, free of control characters, line
    /// breaks, invisible characters (but for the joiners within words) and `@` and `#`, with no more than 7 digits, so that none
    /// is a number to call. Dots, colons and slashes may stand between two digits alone, and of dots no more than one, as in
    /// `12.50`, `12:30` and `5/6`; a dot also before a space: whatever stands beside the value, no link comes of it.
    init?(_ value: String) {
        let characters = Array(value.unicodeScalars)
        guard
            1...20 ~= characters.count,
            let first = characters.first, !first.properties.isWhitespace,
            let last = characters.last, !last.properties.isWhitespace,
            characters.allSatisfy({ $0.mayStandInName && $0 != "@" && $0 != "#" }),
            characters.count(where: { $0.properties.numericType != nil }) <= 7,
            Self.makesNoLink(characters)
        else { return nil }
        description = value
    }

    /// The marks that browsers take for dots between the labels of a host (RFC 3490 §3.1), and those that become one when they
    /// are normalised.
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}", "\u{FE52}"]
    private static let others: Set<Unicode.Scalar> = [":", "/", "\u{FF1A}", "\u{FF0F}", "\u{FE55}"]

    private static func makesNoLink(_ characters: [Unicode.Scalar]) -> Bool {
        for (index, character) in characters.enumerated()
        where dots.contains(character) || others.contains(character) {
            guard index > 0, index + 1 < characters.count else { return false }
            if dots.contains(character), characters[index + 1].properties.isWhitespace { continue }
            guard characters[index - 1].isDigit, characters[index + 1].isDigit else { return false }
        }
        // With more dots it would be an address (RFC 791).
        return characters.count(where: dots.contains) <= 1
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
