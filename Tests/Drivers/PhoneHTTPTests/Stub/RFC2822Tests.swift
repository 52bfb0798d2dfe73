import PhoneSignup
import Testing

@testable import PhoneHTTP
@testable import SMSStub

@Suite struct RFC2822Tests {
    /// Checked with `date -u -R -d @…`; the first is Twilio's own example.
    @Test(arguments: [
        (1_692_853_305, "Thu, 24 Aug 2023 05:01:45 +0000"),
        (0, "Thu, 01 Jan 1970 00:00:00 +0000"),
        (-1, "Wed, 31 Dec 1969 23:59:59 +0000"),
        (-604_800, "Thu, 25 Dec 1969 00:00:00 +0000"),
        (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 +0000"),
        (4_102_444_799, "Thu, 31 Dec 2099 23:59:59 +0000"),
    ])
    func writesDatesAsEmailHasThem(_ seconds: Int64, text: String) {
        #expect(Timestamp(seconds: seconds).rfc2822 == text)
    }
}
