import Testing

@testable import PhoneCLI

@Suite struct CountdownTests {
    @Test(
        "waits are in minutes and seconds, rounded up",
        arguments: [
            (0, "0:00"), (1, "0:01"), (1000, "0:01"), (26_001, "0:27"), (60_000, "1:00"), (600_000, "10:00"),
            (3_599_001, "1:00:00"), (86_399_000, "23:59:59"), (-5000, "0:00"),
        ]
    )
    func countdown(_ milliseconds: Int, _ text: String) {
        #expect(Countdown.text(.milliseconds(milliseconds)) == text)
    }
}
