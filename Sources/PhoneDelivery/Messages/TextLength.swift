/// How long a text is, by each of the measures that bound a message. Lengths add up as their texts do, so that a message need
/// not be made to be measured.
struct TextLength: Sendable, Equatable {
    /// UTF-8.
    private(set) var bytes = 0
    /// UTF-16 code units.
    private(set) var units = 0
    /// Septets of GSM-7 (``GSM7``); nil if it lacks a character.
    private(set) var septets: Int? = 0
    /// Bytes of CP949 (``CP949``); nil if it lacks a character.
    private(set) var cp949Bytes: Int? = 0

    static let zero = TextLength()
    static let lineBreak = TextLength(of: "\n")

    private init() {}

    init(of text: String) {
        for character in text.unicodeScalars {
            bytes += UTF8.width(character)
            units += UTF16.width(character)
            septets = Self.sum(septets, GSM7.septetCount(of: character))
            cp949Bytes = Self.sum(cp949Bytes, CP949.byteCount(of: character))
        }
    }

    static func += (length: inout TextLength, other: TextLength) {
        length.bytes += other.bytes
        length.units += other.units
        length.septets = sum(length.septets, other.septets)
        length.cp949Bytes = sum(length.cp949Bytes, other.cp949Bytes)
    }

    private static func sum(_ one: Int?, _ other: Int?) -> Int? {
        guard let one, let other else { return nil }
        return one + other
    }
}
