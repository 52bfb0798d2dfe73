import PhoneDomain

/// The region and the language of requests that name none.
struct RequestLocale: Sendable {
    let region: Region
    let language: LanguageTag

    /// The region of this code.
    ///
    /// - Throws: ``Problem`` if it is none.
    func region(_ code: String?) throws -> Region {
        guard let code else { return region }
        guard let region = Region(code) else {
            throw Problem.field("region", "must be an ISO 3166-1 code of two letters, such as KR")
        }
        return region
    }

    /// The language of this tag.
    ///
    /// - Throws: ``Problem`` if it is none.
    func language(_ tag: String?) throws -> LanguageTag {
        guard let tag else { return language }
        guard let language = LanguageTag(tag) else {
            throw Problem.field("locale", "must be a BCP 47 language tag, such as ko or en-US")
        }
        return language
    }
}
