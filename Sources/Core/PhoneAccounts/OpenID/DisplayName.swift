import PhoneDomain

/// A client's name as messages and pages show it: 1 to 30 characters, letters of any script, digits (no more than four,
/// so that none passes for a code), and between them spaces and `-`, `'`, `’`, `&`, `!`, `,`, `(`, `)` and `.`; the
/// last only before a space or at the end, so that no phone makes a link of it.
///
/// A message shows the name to people who trust the sender: who may choose it must not be able to say more with it.
public struct DisplayName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    private static let punctuation: Set<Unicode.Scalar> = [" ", "-", "'", "’", "&", "!", ",", "(", ")", "."]

    public init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard (1...30).contains(scalars.count), let first = scalars.first, let last = scalars.last,
            first != " ", last != " ", scalars.contains(where: \.properties.isAlphabetic),
            scalars.allSatisfy({ $0.isOfName || Self.punctuation.contains($0) }),
            scalars.count(where: { $0.properties.numericType != nil }) <= 4,
            zip(scalars, scalars.dropFirst()).allSatisfy({ $0 != "." || $1 == " " })
        else { return nil }
        description = text
    }
}

extension Unicode.Scalar {
    fileprivate var isOfName: Bool {
        if properties.isDefaultIgnorableCodePoint { return false }
        return switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}
