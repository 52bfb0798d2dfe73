/// The characters that a language's messages are written in, so that each costs one SMS.
enum MessageAlphabet: Sendable {
    /// Korean, sent within Korea: see ``CP949``.
    case cp949

    /// English: nothing in it needs another alphabet, but a typographic apostrophe (U+2019) would make it UCS-2 unnoticed.
    case gsm7

    /// Any other language: as many characters as one SMS holds in the encoding that the text happens to need.
    case unicode

    /// The alphabet of the language that a locale such as `ko-KR` begins with.
    init(locale: String) {
        switch locale.split(separator: "-").first?.lowercased() {
        case "ko": self = .cp949
        case "en": self = .gsm7
        default: self = .unicode
        }
    }

    var name: String {
        switch self {
        case .cp949: "CP949"
        case .gsm7: "GSM-7"
        case .unicode: "Unicode"
        }
    }

    /// The first character of a text that the alphabet lacks, or `nil` if it has them all.
    func firstForeign(in text: String) -> Unicode.Scalar? {
        switch self {
        case .cp949: CP949.firstUnencodable(in: text)
        case .gsm7: text.unicodeScalars.first { GSM7.septetCount(of: $0) == nil }
        case .unicode: nil
        }
    }
}
