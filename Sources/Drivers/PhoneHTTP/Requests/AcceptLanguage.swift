import CoreEncodings
import HTTPTypes
package import PhoneDomain
import PhoneNumbers
package import Texts

extension Request {
    /// The texts in the language that the client prefers; else in this one; else in English.
    package func texts(else language: LanguageTag?) -> Texts {
        let fallback = language.flatMap(Languages.texts(in:)) ?? Languages.english
        guard let field = headers[.acceptLanguage] else { return fallback }
        return AcceptLanguage(field).choice(of: Languages.all, else: fallback)
    }

    /// Of the languages that the browser accepts: `KR` of `ko-KR`. But many people have `en-US` who are not there: it
    /// is what browsers have by default.
    var acceptedRegions: [Region?] {
        let tags = (headers[.acceptLanguage] ?? "").utf8.split(separator: UInt8(ascii: ","), maxSplits: 10).prefix(10)
            .compactMap { LanguageTag(String(Substring($0.prefix { $0 != UInt8(ascii: ";") }.trimmingWhitespace))) }
        return tags.filter { $0.description != "en-US" }.map(\.region)
    }
}

/// The languages that a client accepts (RFC 9110 section 12.5.4).
struct AcceptLanguage {
    /// The ranges by falling quality, those of one quality in their order; in lower case.
    private let accepted: [Substring]
    /// The languages with a quality of 0.
    private let refused: Set<Substring>

    /// Skips what is malformed.
    init(_ field: String) {
        // Language tags ignore case (RFC 5646 section 2.1.1).
        let ranges = field.asciiLowercased.utf8.split(separator: UInt8(ascii: ",")).compactMap { item in
            let parts = item.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
            // Some programs send the name of a POSIX locale, `ko_KR`, as `ui_locales` may be one (``LanguageTag``).
            let range = (parts.first.map { Substring($0.trimmingWhitespace) } ?? "").replacing("_", with: "-")
            return Self.quality(parts.dropFirst()).flatMap { Self.isRange(range) ? (range: range, quality: $0) : nil }
        }
        accepted = ranges.filter { $0.quality > 0 }.sorted { $0.quality > $1.quality }.map(\.range)
        refused = Set(ranges.filter { $0.quality == 0 }.map(\.range))
    }

    /// Lookup (RFC 4647 section 3.4): of each range, the best first, the longest beginning that there are texts in.
    func choice(of texts: [Texts], else fallback: Texts) -> Texts {
        let available = texts.filter { !refused.contains(Substring($0.language.description.asciiLowercased)) }
        // Browsers of Taiwan and Hong Kong ask for `zh-TW, zh`, and mean the traditional script both times.
        let isTraditional = accepted.contains { Languages.likely(String($0)) == "zh-hant" }
        for range in accepted where !(isTraditional && range == "zh") {
            if range == "*" {
                return refused.contains(fallback.language.description.asciiLowercased[...])
                    ? available.first ?? fallback : fallback
            }
            if let found = Languages.texts(for: String(range), among: available) { return found }
        }
        return fallback
    }

    /// The weight in thousandths; 1000 without one, nil for a malformed one.
    private static func quality(_ parameters: some Sequence<Substring.UTF8View>) -> Int? {
        for parameter in parameters {
            let text = Substring(parameter.trimmingWhitespace)
            guard text.hasPrefix("q=") else { continue }
            let (whole, point, fraction) = (text.dropFirst(2).prefix(1), text.dropFirst(3).prefix(1), text.dropFirst(4))
            guard whole == "0" || whole == "1", point.isEmpty || point == ".", fraction.utf8.count <= 3,
                fraction.utf8.allSatisfy(\.isASCIIDigit),
                let value = Int(whole + fraction + String(repeating: "0", count: 3 - fraction.utf8.count)),
                value <= 1000
            else { return nil }
            return value
        }
        return 1000
    }

    /// No longer than the longest tag that software must support (RFC 5646 section 4.4.1).
    private static func isRange(_ text: Substring) -> Bool {
        text == "*"
            || (1...35).contains(text.utf8.count)
                && text.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") }
    }
}

extension LanguageTag {
    /// The subtag of a country (RFC 5646 section 2.2.4).
    var region: Region? {
        description.split(separator: "-").dropFirst().first { $0.utf8.count == 2 }.flatMap { Region(String($0)) }
    }
}
