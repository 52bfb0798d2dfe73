/// The encoding of an SMS abroad. One character outside GSM-7 makes the whole text UCS-2.
///
/// Source: 3GPP TS 23.038 §6.2, https://www.3gpp.org/dynareport/23038.htm.
enum SMSEncoding: String {
    /// Septets of the default alphabet; a character of the extension table takes two.
    case gsm7 = "GSM-7"

    /// UTF-16 code units; a character beyond the basic plane, such as an emoji, takes two.
    case ucs2 = "UCS-2"

    /// The units of a message sent as one SMS: 140 octets, that is 160 septets or 70 UTF-16 code units.
    var unitsInSingle: Int { self == .gsm7 ? 160 : 70 }

    /// The units of each part of a longer message: its header takes 6 octets, which leaves 153 septets or 67 UTF-16
    /// code units (3GPP TS 23.040 §9.2.3.24.1, concatenation with an 8-bit reference).
    var unitsInPart: Int { self == .gsm7 ? 153 : 67 }

    func units(of character: Unicode.Scalar) -> Int? {
        switch self {
        case .gsm7: GSM7.septetCount(of: character)
        case .ucs2: UTF16.width(character)
        }
    }
}

/// The number of SMS that a text takes abroad, where each segment is charged.
///
/// Parts are counted by packing, not by division: neither the two septets of an escaped character nor the two halves of
/// a surrogate pair may be parted (3GPP TS 23.040 §9.2.3.24.1), so a part may end one unit short.
package struct SegmentCount: Equatable {
    let encoding: SMSEncoding
    /// The units of the text itself, without headers and without what packing leaves empty.
    let units: Int
    package let segments: Int

    package init(of body: String) {
        let characters = body.unicodeScalars
        encoding = characters.allSatisfy { SMSEncoding.gsm7.units(of: $0) != nil } ? .gsm7 : .ucs2
        var (units, parts, used) = (0, 1, 0)
        for character in characters {
            guard let width = encoding.units(of: character) else { continue }
            units += width
            if used + width > encoding.unitsInPart {
                parts += 1
                used = 0
            }
            used += width
        }
        self.units = units
        segments = units <= encoding.unitsInSingle ? 1 : parts
    }
}

/// The default alphabet of SMS: the basic character set and its extension table, no national language shift tables.
///
/// Source: 3GPP TS 23.038 §6.2.1 and §6.2.1.1, https://www.3gpp.org/dynareport/23038.htm.
enum GSM7 {
    // In the order of the standard's table, a row for each high nibble. Position 0x1B is the escape to the extension
    // table, which stands for no character. 0x09 is the capital Ç: the small one that some tables show was an erratum.
    private static let basic = Set(
        """
        @£$¥èéùìòÇ\nØø\rÅå\
        Δ_ΦΓΛΩΠΨΣΘΞÆæßÉ\
         !"#¤%&'()*+,-./\
        0123456789:;<=>?\
        ¡ABCDEFGHIJKLMNO\
        PQRSTUVWXYZÄÖÑÜ§\
        ¿abcdefghijklmno\
        pqrstuvwxyzäöñüà
        """.unicodeScalars
    )

    private static let extended = Set("\u{0C}^{}\\[~]|€".unicodeScalars)

    /// One septet, two if it needs the escape, or `nil` if the alphabet lacks it.
    static func septetCount(of character: Unicode.Scalar) -> Int? {
        basic.contains(character) ? 1 : extended.contains(character) ? 2 : nil
    }
}

/// The length of a text in CP949 (also: UHC, a superset of EUC-KR), by which Korean carriers count.
///
/// A text of more than ``bytesInSMS`` bytes becomes an LMS, which costs more; one with a character outside CP949
/// arrives mangled or not at all. Emoji are outside, and so is Hangul in its decomposed form (NFD).
enum CP949 {
    /// 45 Hangul syllables or 90 letters of ASCII. Source:
    /// https://github.com/solapi/solapi-nodejs/blob/master/examples/javascript/common/src/sms/send_sms.js
    static let bytesInSMS = 90

    /// Source: as for ``bytesInSMS``.
    static let bytesInLMS = 2_000

    /// One or two, or `nil` if CP949 lacks it.
    static func byteCount(of character: Unicode.Scalar) -> Int? {
        switch character.value {
        case 0...0x7F: return 1
        case 0xAC00...0xD7A3: return 2
        case 0x4E00...0x9FFF:
            let (word, bit) = Int(character.value - 0x4E00).quotientAndRemainder(dividingBy: 64)
            return CP949Table.ideographs[word] >> bit & 1 == 1 ? 2 : nil
        case let value:
            return CP949Table.symbols.contains { $0.first <= value && value <= $0.last } ? 2 : nil
        }
    }

    /// `nil` if CP949 lacks a character.
    static func byteCount(of text: String) -> Int? { TextLength(of: text).cp949Bytes }
}

/// The alphabet to which a language's messages are limited, so that each fits one SMS.
enum MessageAlphabet: String {
    /// Korean, sent within Korea: see ``CP949``.
    case cp949 = "CP949"

    /// English: no word of it needs another alphabet, but a typographic apostrophe (U+2019) would make it UCS-2
    /// unnoticed.
    case gsm7 = "GSM-7"

    /// Any other language: as many characters as fit one SMS in the encoding that the text needs.
    case unicode = "Unicode"

    init(locale: String) {
        switch locale.split(separator: "-").first?.lowercased() {
        case "ko": self = .cp949
        case "en": self = .gsm7
        default: self = .unicode
        }
    }

    func firstForeign(in text: String) -> Unicode.Scalar? {
        switch self {
        case .cp949: text.unicodeScalars.first { CP949.byteCount(of: $0) == nil }
        case .gsm7: text.unicodeScalars.first { GSM7.septetCount(of: $0) == nil }
        case .unicode: nil
        }
    }
}

/// The length of a text by each measure that limits a message.
struct TextLength: Equatable {
    /// UTF-8.
    private(set) var bytes = 0
    /// UTF-16 code units.
    private(set) var units = 0
    /// Septets of GSM-7 (``GSM7``); nil if it lacks a character.
    private(set) var septets: Int? = 0
    /// Bytes of CP949 (``CP949``); nil if it lacks a character.
    private(set) var cp949Bytes: Int? = 0

    init(of text: String) {
        for character in text.unicodeScalars {
            bytes += UTF8.width(character)
            units += UTF16.width(character)
            septets = Self.sum(septets, GSM7.septetCount(of: character))
            cp949Bytes = Self.sum(cp949Bytes, CP949.byteCount(of: character))
        }
    }

    private static func sum(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return nil }
        return one + other
    }
}
