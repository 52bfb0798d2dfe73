import Testing

@testable import PhoneDelivery

@Suite("Segments")
struct SegmentCountTests {
    @Test(
        "a body takes as many segments as packing its characters needs",
        arguments: [
            ("", .gsm7, 0, 1),
            (String(repeating: "a", count: 160), .gsm7, 160, 1),
            (String(repeating: "a", count: 161), .gsm7, 161, 2),
            (String(repeating: "a", count: 306), .gsm7, 306, 2),
            (String(repeating: "a", count: 307), .gsm7, 307, 3),
            (String(repeating: "€", count: 80), .gsm7, 160, 1),
            (String(repeating: "€", count: 81), .gsm7, 162, 2),
            (String(repeating: "가", count: 70), .ucs2, 70, 1),
            (String(repeating: "가", count: 71), .ucs2, 71, 2),
            (String(repeating: "가", count: 134), .ucs2, 134, 2),
            (String(repeating: "가", count: 135), .ucs2, 135, 3),
            (String(repeating: "😀", count: 35), .ucs2, 70, 1),
            (String(repeating: "😀", count: 36), .ucs2, 72, 2),
            // What would straddle two parts moves to the second, which can make a third: an escaped character, and a
            // surrogate pair.
            (String(repeating: "a", count: 152) + "€" + String(repeating: "a", count: 152), .gsm7, 306, 3),
            (String(repeating: "가", count: 66) + "😀" + String(repeating: "가", count: 66), .ucs2, 134, 3),
            // One character outside GSM-7 turns the whole body into UCS-2.
            ("Don't share it. " + String(repeating: "a", count: 100), .gsm7, 116, 1),
            ("Don’t share it. " + String(repeating: "a", count: 100), .ucs2, 116, 2),
            ("\r\n", .gsm7, 2, 1),
        ] as [(String, SMSEncoding, Int, Int)]
    )
    func count(body: String, encoding: SMSEncoding, units: Int, segments: Int) {
        let count = SegmentCount(of: body)
        #expect(count.encoding == encoding)
        #expect(count.units == units)
        #expect(count.segments == segments)
    }
}

@Suite("GSM-7")
struct GSM7Tests {
    @Test("the basic table is that of 3GPP TS 23.038 §6.2.1, a septet each")
    func basicTable() {
        let ascii: [UInt32] = [0x0A, 0x0D] + Array(0x20...0x5A) + [0x5F] + Array(0x61...0x7A)
        let latin: [UInt32] = [
            0xA1, 0xA3, 0xA4, 0xA5, 0xA7, 0xBF, 0xC4, 0xC5, 0xC6, 0xC7, 0xC9, 0xD1, 0xD6, 0xD8, 0xDC, 0xDF,
            0xE0, 0xE4, 0xE5, 0xE6, 0xE8, 0xE9, 0xEC, 0xF1, 0xF2, 0xF6, 0xF8, 0xF9, 0xFC,
        ]
        let greek: [UInt32] = [0x393, 0x394, 0x398, 0x39B, 0x39E, 0x3A0, 0x3A3, 0x3A6, 0x3A8, 0x3A9]
        let expected = ascii + latin + greek

        #expect(codePoints(ofSeptets: 1) == expected)
        #expect(expected.count == 127)
    }

    @Test("the extension table is that of 3GPP TS 23.038 §6.2.1.1, two septets each")
    func extensionTable() {
        #expect(codePoints(ofSeptets: 2) == [0x0C, 0x5B, 0x5C, 0x5D, 0x5E, 0x7B, 0x7C, 0x7D, 0x7E, 0x20AC])
    }

    private func codePoints(ofSeptets count: Int) -> [UInt32] {
        (UInt32(0)...0x1_FFFF).filter { value in
            Unicode.Scalar(value).flatMap(GSM7.septetCount) == count
        }
    }
}

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
