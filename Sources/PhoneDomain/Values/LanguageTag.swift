/// The language of what a person reads: a BCP 47 tag (RFC 5646) of a language and, at most, a script and a region,
/// such as `ko`, `en` or `ko-KR`.
public struct LanguageTag: Hashable, Sendable {
    /// Korean.
    public static let korean = LanguageTag(validated: "ko")
    /// English.
    public static let english = LanguageTag(validated: "en")

    private let tag: String

    private init(validated tag: String) {
        self.tag = tag
    }

    /// The language alone, in lower case: `ko` of `ko-KR`.
    public var language: String {
        String(tag.prefix { $0 != "-" })
    }
}

extension LanguageTag: LosslessStringConvertible {
    /// Reads a tag as browsers (`ko-KR`) or POSIX environments (`ko_KR.UTF-8`) write it; nil if it is neither, and
    /// for `C` and `POSIX`, which name no language.
    public init?(_ text: String) {
        let bare = text.prefix { $0 != "." && $0 != "@" }
        let parts = bare.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        guard let language = parts.first, (1...3).contains(parts.count), (2...3).contains(language.utf8.count),
            parts.allSatisfy({ (2...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isASCIIAlphanumeric) }),
            language.utf8.allSatisfy(\.isASCIILetter)
        else { return nil }
        let rest = parts.dropFirst().map { $0.utf8.count == 2 ? $0.uppercased() : String($0) }
        tag = ([language.lowercased()] + rest).joined(separator: "-")
    }

    /// The tag with hyphens: `ko-KR`.
    public var description: String { tag }
}

extension UInt8 {
    fileprivate var isASCIILetter: Bool {
        let lowerCased = self | 0x20
        return lowerCased >= 0x61 && lowerCased <= 0x7A
    }

    fileprivate var isASCIIAlphanumeric: Bool {
        isASCIILetter || (0x30...0x39).contains(self)
    }
}
