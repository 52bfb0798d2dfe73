/// The name by which a message says who sends it, as in `[Acme]`.
///
/// A service may be named by someone else than the operator, so a name can neither begin a line of its own in a message
/// nor pass for the line that binds a code to a web host, nor turn the direction of the text around it.
public struct ServiceName: Sendable, Equatable, CustomStringConvertible {
    /// The name as given.
    public let description: String

    /// `nil` unless the name is 1 to 30 Unicode scalars with no space at either end and no `@` at the start, and free of
    /// control characters, line breaks and invisible format characters. The two joiners that Persian and the scripts of
    /// India are written with (U+200C, U+200D) are allowed within it.
    public init?(_ name: String) {
        let characters = name.unicodeScalars
        guard
            1...30 ~= characters.count,
            let first = characters.first, !first.properties.isWhitespace, first != "@",
            let last = characters.last, !last.properties.isWhitespace,
            characters.allSatisfy(\.mayStandInName)
        else { return nil }
        description = name
    }
}
