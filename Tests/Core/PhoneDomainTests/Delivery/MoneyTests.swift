import PhoneDomain
import Testing

@Suite struct MoneyTests {
    @Test(arguments: [
        (32_500, 6...6, "0.032500"), (32_500, 2...6, "0.0325"), (2_000_000, 2...6, "2.00"), (0, 2...6, "0.00"),
        (12_345_678, 2...2, "12.35"), (1_995_000, 2...2, "2.00"), (999_949, 4...4, "0.9999"), (1, 6...6, "0.000001"),
    ])
    func `millionths are a decimal fraction`(millionths: Int, decimals: ClosedRange<Int>, text: String) {
        #expect(Money.text(millionths, decimals: decimals) == text)
    }
}
