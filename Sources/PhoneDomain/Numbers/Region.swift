/// A country or territory by its ISO 3166-1 alpha-2 code, such as `KR`.
///
/// Any two ASCII letters are a region; whether we can read its numbers is for ``NumberingPlans`` to say.
public struct Region: Hashable, Sendable, LosslessStringConvertible {
    /// The code: two capital ASCII letters.
    public let description: String

    /// Reads a code of two ASCII letters in either case; anything else is `nil`.
    public init?(_ description: String) {
        guard
            description.utf8.count == 2,
            description.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
        else { return nil }
        self.description = description.uppercased()
    }

    private init(known code: String) {
        description = code
    }

    /// The Republic of Korea, `KR`.
    public static let korea = Region(known: "KR")
}
