import PhoneDomain
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
