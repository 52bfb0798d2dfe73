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
        ] as [(String, SMSEncoding, Int, Int)]
    )
    func bodiesOfOneKindOfCharacter(body: String, encoding: SMSEncoding, units: Int, segments: Int) {
        let count = SegmentCount(of: body)

        #expect(count.encoding == encoding)
        #expect(count.units == units)
        #expect(count.segments == segments)
    }

    @Test("an escaped character that would straddle two parts moves to the second, which can make a third")
    func escapedCharacterOnTheBoundary() {
        let count = SegmentCount(of: String(repeating: "a", count: 152) + "€" + String(repeating: "a", count: 152))

        #expect(count.encoding == .gsm7)
        #expect(count.units == 306)
        #expect(count.segments == 3)
    }

    @Test("a surrogate pair that would straddle two parts moves to the second, which can make a third")
    func surrogatePairOnTheBoundary() {
        let count = SegmentCount(of: String(repeating: "가", count: 66) + "😀" + String(repeating: "가", count: 66))

        #expect(count.encoding == .ucs2)
        #expect(count.units == 134)
        #expect(count.segments == 3)
    }

    @Test("one character outside GSM-7 turns the whole body into UCS-2")
    func oneForeignCharacter() {
        let plain = SegmentCount(of: "Don't share it. " + String(repeating: "a", count: 100))
        let typographic = SegmentCount(of: "Don’t share it. " + String(repeating: "a", count: 100))

        #expect(plain.encoding == .gsm7)
        #expect(plain.segments == 1)
        #expect(typographic.encoding == .ucs2)
        #expect(typographic.units == 116)
        #expect(typographic.segments == 2)
    }

    @Test("a line break of two characters is two septets")
    func carriageReturnAndLineFeed() {
        #expect(SegmentCount(of: "\r\n").units == 2)
    }
}
