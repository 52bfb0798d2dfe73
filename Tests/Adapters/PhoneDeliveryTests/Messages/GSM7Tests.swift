import Testing

@testable import PhoneDelivery

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
