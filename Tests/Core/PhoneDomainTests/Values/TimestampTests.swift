import PhoneSignup
import Testing

@Suite struct TimestampTests {
    @Test(arguments: [
        (0, "1970-01-01T00:00:00.000Z"),
        (-1, "1969-12-31T23:59:59.999Z"),
        (951_782_400_000, "2000-02-29T00:00:00.000Z"),
        (951_868_800_000, "2000-03-01T00:00:00.000Z"),
        (1_767_225_599_999, "2025-12-31T23:59:59.999Z"),
        (1_782_997_200_042, "2026-07-02T13:00:00.042Z"),
        (4_107_542_400_000, "2100-03-01T00:00:00.000Z"),
        (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    ])
    func descriptionIsRFC3339(milliseconds: Int64, text: String) {
        #expect(Timestamp(milliseconds: milliseconds).description == text)
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test func `every moment has a description`() {
        #expect(Timestamp(milliseconds: .max).description == "292278994-08-17T07:12:55.807Z")
        #expect(Timestamp(milliseconds: .min).description == "-292275055-05-16T16:47:04.192Z")
    }

    @Test(
        arguments: [
            ("2026-11-21T09:00:00Z", 1_795_251_600_000),
            ("2026-11-21T18:00:00+09:00", 1_795_251_600_000),
            ("2026-11-21t05:30:00.5-03:30", 1_795_251_600_500),
            ("2026-11-21T09:00:00.0009z", 1_795_251_600_000),
            ("2016-12-31T23:59:60Z", 1_483_228_800_000),
            ("2024-02-29T00:00:00Z", 1_709_164_800_000),
        ] as [(String, Int64)]
    )
    func offsetsAndFractionsAreRead(text: String, milliseconds: Int64) {
        #expect(Timestamp(rfc3339: text)?.milliseconds == milliseconds)
    }

    @Test(arguments: [
        "", "2026-11-21", "2026-11-21T09:00:00", "2026-11-21 09:00:00Z", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
        "2100-02-29T00:00:00Z", "2026-11-31T00:00:00Z", "2026-11-00T00:00:00Z", "2026-11-21T24:00:00Z",
        "2026-11-21T09:60:00Z", "2026-11-21T09:00:61Z", "2026-11-21T09:00:00.Z", "2026-11-21T09:00:00+0900",
        "2026-11-21T09:00:00+24:00", "2026-11-21T09:00:00Z ", "+026-11-21T09:00:00Z", "2026-11-21T09:00:00*09:00",
    ])
    func nothingElseIsAMoment(text: String) {
        #expect(Timestamp(rfc3339: text) == nil)
    }

    @Test func durationsAddAndSubtract() {
        let moment = Timestamp(seconds: 100)
        #expect(moment + .seconds(30) == Timestamp(milliseconds: 130_000))
        #expect(moment - .milliseconds(1) == Timestamp(milliseconds: 99_999))
        #expect(moment + .seconds(30) - moment == .seconds(30))
        #expect(moment + .seconds(-30) < moment)
    }

    @Test func waitsAreRoundedUpToWholeSeconds() {
        #expect(Duration.milliseconds(1).wholeSecondsRoundedUp == 1)
        #expect(Duration.seconds(2).wholeSecondsRoundedUp == 2)
        #expect(Duration.milliseconds(2001).wholeSecondsRoundedUp == 3)
        #expect(Duration.milliseconds(-1500).wholeSecondsRoundedUp == 0)
    }
}
