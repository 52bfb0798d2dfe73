import PhoneSignup
import Testing

@Suite struct VerificationCodeTests {
    @Test func leadingZerosAreKept() {
        #expect(VerificationCode("000042")?.digits == "000042")
        #expect(VerificationCode("000042") != VerificationCode("0042"))
    }

    @Test(arguments: ["", "123", "12345678901", "12345a", "12 345", "１２３４５６", "-12345", "123456\n"])
    func onlyFourToTenASCIIDigitsAreACode(text: String) {
        #expect(VerificationCode(text) == nil)
    }

    @Test(arguments: [
        ("123456", "123456"), (" 123 456 ", "123456"), ("123-456", "123456"), ("１２３４５６", "123456"),
        ("٠١٢٣٤٥", "012345"), ("123ー456", "123456"), ("(123) 456", "123456"), ("\u{2068}123456\u{2069}", "123456"),
        ("\u{200E}123456\u{200E}", "123456"), ("\u{202A}\u{200B}123\u{FEFF}456\u{202C}\n", "123456"),
    ])
    func whatAPersonTypesIsTakenForWhatItMeans(text: String, digits: String) {
        #expect(VerificationCode(typed: text)?.digits == digits)
    }

    @Test(arguments: ["12345O", "123456!", "12345678901", "", "code 123456", "½23456", "+123456"])
    func whatIsNoCodeIsNotTakenForOne(text: String) {
        #expect(VerificationCode(typed: text) == nil)
    }

    @Test func theFieldShowsDigitsOrWhatWasTyped() {
        #expect(VerificationCode.format("\u{200E}1 2-３") == "123")
        for text in ["a1b2 ３", "12345678901", "1234567890 12"] { #expect(VerificationCode.format(text) == text) }
        #expect(VerificationCode.format(String(repeating: "x", count: 10_000)).count == 65)
    }

    @Test(arguments: [
        ("Your code is 494918. It expires in 10 min.", "494918"), ("494918", "494918"), ("Code:４94918!", "494918"),
        ("Call 1588158815 or enter 494918", "494918"), ("494918 and 123456", "494918"),
        ("인증번호는 494918입니다", "494918"), ("G-494918", "494918"), ("494918a", nil), ("O494918", nil),
        ("494 918", nil), ("4949180", nil), ("49491", nil), ("", nil), (String(repeating: "1", count: 100_000), nil),
        (String(repeating: "x", count: 1530) + " 494918", nil),
    ])
    func aMessageYieldsTheFirstRunOfDigitsThatIsACode(message: String, digits: String?) {
        #expect(VerificationCode.digits(inMessage: message) { $0.count == 6 } == digits)
    }

    @Test func noDescriptionGivesItAway() throws {
        let code = try #require(VerificationCode("123456"))
        var dumped = ""
        dump(code, to: &dumped)
        for text in ["\(code)", String(reflecting: code), dumped, "\([code])", "\(Optional(code) as Any)"] {
            #expect(!text.contains("123456"))
            #expect(!text.contains("2345"))
        }
    }
}
