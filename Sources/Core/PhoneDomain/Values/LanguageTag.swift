/// A BCP 47 tag (RFC 5646) of a language and, at most, a script and a region, such as `ko`, `en` or `ko-KR`.
public struct LanguageTag: Hashable, Sendable {
    public static let korean = LanguageTag(validated: "ko")
    public static let english = LanguageTag(validated: "en")
    /// The tag with hyphens: `ko-KR`.
    public let description: String
    /// More bytes than any tag of three parts has, with an encoding and a modifier after it.
    private static let longest = 100
    private init(validated tag: String) { description = tag }

    /// The language alone, in lower case: `ko` of `ko-KR`.
    public var language: String { String(description.prefix { $0 != "-" }) }
}

extension LanguageTag: LosslessStringConvertible {
    /// Parses a tag as browsers (`ko-KR`) or POSIX environments (`ko_KR.UTF-8`) write it; nil for anything else, and
    /// for `C` and `POSIX`, which name no language.
    public init?(_ text: String) {
        guard text.utf8.count <= Self.longest else { return nil }
        let bare = text.prefix { $0 != "." && $0 != "@" }
        let parts = bare.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let language = parts.first, (1...3).contains(parts.count), (2...3).contains(language.utf8.count),
            parts.allSatisfy({ (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }),
            language.utf8.allSatisfy(\.isASCIILetter)
        else { return nil }
        let rest = parts.dropFirst().map { $0.utf8.count == 2 ? $0.uppercased() : String($0) }
        description = ([language.lowercased()] + rest).joined(separator: "-")
    }
}
