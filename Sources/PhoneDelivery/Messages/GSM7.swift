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

    /// What the characters of ASCII take, of which most texts are: to look each up in a set takes ten times as long.
    private static let ascii: [Int?] = (0..<0x80).map { (byte: UInt8) in looked(up: Unicode.Scalar(byte)) }

    /// What a character takes: one septet, two if it needs the escape, or `nil` if the alphabet lacks it.
    static func septetCount(of character: Unicode.Scalar) -> Int? {
        character.isASCII ? ascii[Int(character.value)] : looked(up: character)
    }

    private static func looked(up character: Unicode.Scalar) -> Int? {
        if basic.contains(character) {
            1
        } else if extended.contains(character) {
            2
        } else {
            nil
        }
    }
}
