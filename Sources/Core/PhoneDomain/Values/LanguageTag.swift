package import PhoneNumbers

/// A BCP 47 tag (RFC 5646) of a language and, at most, a script and a region, such as `ko`, `en` or `ko-KR`.
public struct LanguageTag: Hashable, Sendable {
    public static let korean = LanguageTag(validated: "ko")
    public static let english = LanguageTag(validated: "en")
    /// The tag with hyphens: `ko-KR`.
    public let description: String
    /// More bytes than any tag of three parts has, with an encoding and a modifier after it.
    private static let longest = 100
    /// - Parameter tag: as ``description`` has it.
    package init(validated tag: String) { description = tag }

    /// The language of messages to a number of this region where a request names none.
    package static func standard(in region: Region) -> LanguageTag { region == .korea ? .korean : .english }

    /// The language alone, in lower case: `ko` of `ko-KR`.
    public var language: String { String(description.prefix { $0 != "-" }) }

    /// Whether it is written from the right (the scripts of CLDR's `characterOrder`).
    public var isRightToLeft: Bool { ["ar", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"].contains(language) }
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
        // Regions and scripts as they are usually written (RFC 5646 section 2.1.1).
        let rest = parts.dropFirst().map { part in
            switch part.utf8.count {
            case 2: part.uppercased()
            case 4: part.prefix(1).uppercased() + part.dropFirst().lowercased()
            default: String(part)
            }
        }
        description = ([language.lowercased()] + rest).joined(separator: "-")
    }
}
