/// The length of a text in CP949 (also: UHC, a superset of EUC-KR), by which Korean carriers count.
///
/// A text of more than ``bytesInSMS`` bytes becomes an LMS, which is dearer; one with a character outside CP949 arrives
/// mangled or not at all. Emoji are outside, and so is Hangul in its decomposed form (NFD).
public enum CP949 {
    /// The bytes of one Korean SMS: 45 Hangul syllables or 90 letters of ASCII.
    ///
    /// Source:
    /// https://github.com/solapi/solapi-nodejs/blob/master/examples/javascript/common/src/sms/send_sms.js
    public static let bytesInSMS = 90

    /// The bytes of one Korean LMS. Source: as for ``bytesInSMS``.
    public static let bytesInLMS = 2_000

    /// The bytes of a character, one or two, or `nil` if CP949 lacks it.
    public static func byteCount(of character: Unicode.Scalar) -> Int? {
        switch character.value {
        case 0...0x7F:
            return 1
        case 0xAC00...0xD7A3:
            return 2
        case 0x4E00...0x9FFF:
            let (word, bit) = Int(character.value - 0x4E00).quotientAndRemainder(dividingBy: 64)
            return CP949Table.ideographs[word] >> bit & 1 == 1 ? 2 : nil
        case let value:
            return CP949Table.symbols.contains { $0.first <= value && value <= $0.last } ? 2 : nil
        }
    }

    /// The bytes of a whole text, or `nil` if CP949 lacks a character of it.
    public static func byteCount(of text: String) -> Int? {
        var count = 0
        for character in text.unicodeScalars {
            guard let bytes = byteCount(of: character) else { return nil }
            count += bytes
        }
        return count
    }

    /// The first character that CP949 lacks, or `nil` if it has them all.
    public static func firstUnencodable(in text: String) -> Unicode.Scalar? {
        text.unicodeScalars.first { byteCount(of: $0) == nil }
    }
}
