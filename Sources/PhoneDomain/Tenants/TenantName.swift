/// What a tenant is called in its messages: 1 to 30 characters, letters of any script, digits (no more than four, so that
/// none passes for a code), and between them spaces and `-`, `'`, `’`, `&`, `!`, `,`, `(`, `)` and `.`; the last only before a
/// space or at the end, so that no phone makes a link of it.
///
/// A message carries the name to people who trust the sender: whoever may make tenants must not be able to say more by it.
/// Source: https://www.twilio.com/docs/verify/api/service (FriendlyName), https://www.twilio.com/docs/api/errors/60248.
public struct TenantName: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    private static let punctuation: Set<Unicode.Scalar> = [" ", "-", "'", "’", "&", "!", ",", "(", ")", "."]

    /// The name of this text, or nil if it is none.
    public init?(_ text: String) {
        let scalars = Array(text.unicodeScalars)
        guard (1...30).contains(scalars.count), let first = scalars.first, let last = scalars.last,
            first != " ", last != " ", scalars.contains(where: { $0.properties.isAlphabetic }),
            scalars.allSatisfy({
                $0.isOfName && !$0.properties.isDefaultIgnorableCodePoint || Self.punctuation.contains($0)
            }),
            scalars.count(where: { $0.properties.numericType != nil }) <= 4,
            zip(scalars, scalars.dropFirst()).allSatisfy({ $0 != "." || $1 == " " })
        else { return nil }
        description = text
    }
}

extension Unicode.Scalar {
    /// A letter, a mark that belongs to one, or a digit.
    fileprivate var isOfName: Bool {
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .nonspacingMark,
            .spacingMark, .decimalNumber:
            true
        default: false
        }
    }
}
