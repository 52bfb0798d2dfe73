/// A country or territory by its ISO 3166-1 alpha-2 code, such as `KR`, or the world as a whole.
///
/// Any two ASCII letters are a region; whether we can read its numbers is for ``NumberingPlans`` to say.
public struct Region: Hashable, Sendable, LosslessStringConvertible {
    /// The code: two capital ASCII letters, or `001`.
    public let description: String

    /// Reads a code of two ASCII letters in either case, or `001`; anything else is `nil`.
    public init?(_ description: String) {
        if description == Self.world.description {
            self = .world
            return
        }
        guard
            description.utf8.count == 2,
            description.unicodeScalars.allSatisfy({ $0.isASCII && $0.properties.isAlphabetic })
        else { return nil }
        self.description = description.uppercased()
    }

    private init(known code: String) {
        description = code
    }

    /// No country: numbers such as +800 that the world dials alike. `001` is the world's code in UN M.49.
    public static let world = Region(known: "001")

    /// The Republic of Korea, `KR`.
    public static let korea = Region(known: "KR")
}
