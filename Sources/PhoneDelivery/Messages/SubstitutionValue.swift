/// The value of a template's own variable in one message, such as the number of an order.
///
/// The message carries it to somebody who trusts the sender, so that whoever may ask for messages must not be able to say
/// much by it: nothing that a phone makes a link of, no line of its own, and none that binds the code to another web host.
struct SubstitutionValue: Sendable, Equatable {
    /// The value as given.
    let description: String

    /// `nil` unless the value is 1 to 20 Unicode scalars with no space at either end, free of control characters, line
    /// breaks, invisible format characters (but for the joiners within words) and `@` and `#`, and without `://`. A dot may
    /// stand at the end, before a space, and once between two digits, as in `12.50`.
    init?(_ value: String) {
        let characters = Array(value.unicodeScalars)
        guard
            1...20 ~= characters.count,
            let first = characters.first, !first.properties.isWhitespace,
            let last = characters.last, !last.properties.isWhitespace,
            characters.allSatisfy({ $0.mayStandInName && $0 != "@" && $0 != "#" }),
            !value.contains("://"),
            Self.dotsMakeNoLink(in: characters)
        else { return nil }
        description = value
    }

    /// The marks that browsers take for dots between the labels of a host (RFC 3490 §3.1), and one that looks like them.
    private static let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}"]

    private static func dotsMakeNoLink(in characters: [Unicode.Scalar]) -> Bool {
        var dotsBetweenDigits = 0
        for (index, character) in characters.enumerated() where dots.contains(character) {
            guard index + 1 < characters.count else { break }
            let next = characters[index + 1]
            if next.properties.isWhitespace { continue }
            guard index > 0, characters[index - 1].isDigit, next.isDigit else { return false }
            dotsBetweenDigits += 1
        }
        // With more of them it would be an address (RFC 791).
        return dotsBetweenDigits <= 1
    }
}

extension Unicode.Scalar {
    fileprivate var isDigit: Bool { ("0"..."9").contains(self) }
}
