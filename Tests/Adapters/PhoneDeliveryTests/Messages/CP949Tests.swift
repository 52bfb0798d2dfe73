import Testing

@testable import PhoneDelivery

@Suite("CP949")
struct CP949Tests {
    @Test(
        "a character takes as many bytes as in Korean SMS",
        arguments: [
            ("\0", 1), ("\n", 1), ("A", 1), ("~", 1), ("\u{7F}", 1),
            ("가", 2), ("힣", 2), ("뷁", 2), ("ㄱ", 2), ("ㆎ", 2),
            ("一", 2), ("認", 2), ("證", 2), ("龜", 2), ("\u{F900}", 2), ("\u{FA0B}", 2),
            ("※", 2), ("☎", 2), ("℃", 2), ("€", 2), ("®", 2), ("’", 2), ("あ", 2), ("ア", 2), ("！", 2), ("￦", 2),
            ("\u{80}", nil), ("\u{A0}", nil), ("©", nil), ("é", nil), ("ö", nil), ("–", nil), ("—", nil),
            ("你", nil), ("\u{FA0C}", nil), ("\u{1112}", nil), ("\u{D7A4}", nil), ("😀", nil), ("\u{10FFFF}", nil),
        ] as [(Unicode.Scalar, Int?)]
    )
    func characters(character: Unicode.Scalar, bytes: Int?) {
        #expect(CP949.byteCount(of: character) == bytes)
    }

    // The two figures are those that scripts/generate/cp949-table prints.
    @Test("all 17,176 characters are those of Python's codec")
    func wholeTable() {
        var count = 0
        var checksum: UInt64 = 0xCBF2_9CE4_8422_2325
        for value in UInt32(0)...0x1_FFFF {
            guard let character = Unicode.Scalar(value), let bytes = CP949.byteCount(of: character) else { continue }
            count += 1
            for byte in [value >> 24, value >> 16 & 0xFF, value >> 8 & 0xFF, value & 0xFF, UInt32(bytes)] {
                checksum = (checksum ^ UInt64(byte)) &* 0x100_0000_01B3
            }
        }

        #expect(count == 17_176)
        #expect(checksum == 0xE88E_4EAD_9415_AE54)
    }

    @Test(
        "the length of a text is that of its characters",
        arguments: [
            ("", 0),
            ("[Acme] 인증번호 123456 (타인 노출 금지)\n@example.com #123456", 60),
            (String(repeating: "가", count: 45), 90),
            ("\r\n", 2),
            ("인증번호 123456 🔑", nil),
            ("\u{1112}\u{1161}\u{11AB}", nil),
        ]
    )
    func texts(text: String, bytes: Int?) {
        #expect(CP949.byteCount(of: text) == bytes)
    }

    @Test("the first character that cannot be sent is found")
    func firstUnencodable() {
        #expect(MessageAlphabet.cp949.firstForeign(in: "인증번호 123456 – 🔑") == "\u{2013}")
        #expect(MessageAlphabet.cp949.firstForeign(in: "인증번호 123456") == nil)
    }
}
