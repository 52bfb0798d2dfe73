import PhoneNumbers
import PhoneTestSupport
import Testing

@Suite struct PhoneNumberTypingTests {
    private let plans = NumberingPlans.builtIn

    private func shown(_ text: String) -> String {
        plans.format(text, region: .korea)
    }

    /// What the field shows after each character typed at its end.
    private func typing(_ characters: String) -> [String] {
        var field = ""
        return characters.map { character in
            field = shown(field + String(character))
            return field
        }
    }

    /// What the field shows after each backspace, down to nothing; stops at 40, should it get stuck.
    private func deleting(_ text: String) -> [String] {
        var field = shown(text)
        var history = [field]
        while !field.isEmpty, history.count < 40 {
            field = shown(String(field.dropLast()))
            history.append(field)
        }
        return history
    }

    @Test(arguments: KoreanExample.all)
    func `hyphens come as digits are typed`(_ example: KoreanExample) {
        #expect(typing(example.digits) == example.typing)
        for count in 1...example.digits.count {
            #expect(shown(String(example.digits.prefix(count))) == example.typing[count - 1])
        }
    }

    @Test(arguments: KoreanExample.all)
    func `hyphens may be typed as well`(_ example: KoreanExample) {
        #expect(typing(example.national).last == example.national)
        #expect(typing(example.international).last == example.international)
    }

    @Test(arguments: KoreanExample.all)
    func `each backspace takes one character, and a hyphen is one`(_ example: KoreanExample) {
        let history = deleting(example.national)
        #expect(history.map(\.count) == (0...example.national.count).reversed())
    }

    @Test(arguments: KoreanExample.all.filter { $0.kind != .pager })
    func `each backspace takes one character abroad as well`(_ example: KoreanExample) {
        #expect(deleting(example.international).map(\.count) == (0...example.international.count).reversed())
    }

    @Test func `a pager's number abroad looks like a representative one as it gets shorter`() {
        #expect(
            deleting("+82151234567").prefix(4) == ["+82 15-123-4567", "+82 1512-3456", "+82 1512-345", "+82 1512-34"]
        )
    }

    @Test func `a mobile number is deleted from its end`() {
        #expect(
            deleting("01012345678") == [
                "010-1234-5678", "010-1234-567", "010-1234-56", "010-1234-5", "010-1234-", "010-1234", "010-123",
                "010-12",
                "010-1", "010-", "010", "01", "0", "",
            ]
        )
        #expect(shown("010" + "1") == "010-1")
    }

    @Test func `a number is regrouped as it gets shorter`() {
        #expect(
            deleting("0212345678") == [
                "02-1234-5678", "02-123-4567", "02-123-456", "02-123-45", "02-123-4", "02-123-", "02-123", "02-12",
                "02-1",
                "02-", "02", "0", "",
            ]
        )
    }

    @Test func `after a plus sign the number is written as abroad`() {
        #expect(
            typing("+821012345678") == [
                "+", "+8", "+82", "+82 1", "+82 10", "+82 10-1", "+82 10-12", "+82 10-123", "+82 10-1234",
                "+82 10-1234-5",
                "+82 10-1234-56", "+82 10-1234-567", "+82 10-1234-5678",
            ]
        )
        #expect(
            deleting("+82212345678") == [
                "+82 2-1234-5678", "+82 2-123-4567", "+82 2-123-456", "+82 2-123-45", "+82 2-123-4", "+82 2-123-",
                "+82 2-123", "+82 2-12", "+82 2-1", "+82 2-", "+82 2", "+82 ", "+82", "+8", "+", "",
            ]
        )
        #expect(typing("+820101") == ["+", "+8", "+82", "+82 0", "+82 01", "+82 010", "+82 010-1"])
        #expect(typing("+14155") == ["+", "+1", "+1 4", "+1 41", "+1 415", "+1 415-5"])
    }

    @Test(
        arguments: [
            ("", ""),
            ("010-", "010-"),
            ("010 ", "010-"),
            ("010--", "010-"),
            ("010-1234-", "010-1234-"),
            ("010-1234.", "010-1234-"),
            ("010-12-", "010-12"),
            ("010-1234-5678-", "010-1234-5678"),
            ("0-", "0"),
            ("01-", "01"),
            ("02-1234-", "02-123-4"),
            ("1588-", "1588-"),
            ("-", ""),
            ("-0-1-0-1-", "010-1"),
            ("+82-", "+82 "),
            ("+82 10-", "+82 10-"),
            ("+8-", "+8"),
            ("+1-", "+1 "),
            ("+9-", "+9"),
        ]
    )
    func `a separator stays where a group is complete`(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(
        arguments: [
            ("+82 10-1234-5678", "+82 10-1234-5678"),
            ("+82 (0)10 1234 5678", "+82 010-1234-5678"),
            ("+8201012345678", "+82 010-1234-5678"),
            ("(+82) 10.1234.5678", "+82 10-1234-5678"),
            ("＋８２１０１２３４５６７８", "+82 10-1234-5678"),
            ("tel:+821012345678", "+82 10-1234-5678"),
            ("821012345678", "82 10-1234-5678"),
            ("82 010 1234 5678", "8201012345678"),
            ("00821012345678", "00 82 10-1234-5678"),
            ("0014155550100", "00 1 415-555-0100"),
            ("82 2 123 4567", "82 2-123-4567"),
            ("821588-1234", "82 1588-1234"),
            ("０１０１２３４５６７８", "010-1234-5678"),
            ("٠١٠١٢٣٤٥٦٧٨", "010-1234-5678"),
            ("010.1234/5678", "010-1234-5678"),
            ("(02) 123-4567", "02-123-4567"),
            ("\u{202D}010\u{A0}1234\u{2011}5678\u{202C}", "010-1234-5678"),
            ("010\u{200B}\u{FEFF}12345678\u{200F}", "010-1234-5678"),
            ("010ー1234ー5678", "010-1234-5678"),
            ("10-1234-5678", "10-1234-5678"),
            ("++82", "+82"),
        ]
    )
    func `what is pasted is cleaned`(_ text: String, _ expected: String) {
        #expect(shown(text) == expected)
    }

    @Test(
        arguments: [
            "010-1234-567O", "010 1234 5678 x9", "0101+234", "전화 010 1234 5678 😀", "010-1234-5678;ext=7", "1️⃣", "tel",
            "010-1234-5678~9", "02-+82", "e\u{301}", "010\u{202E}12x", "010-1234-5678#", "010123456789012345678",
        ]
    )
    func `what is no number stays as it was typed`(_ text: String) {
        #expect(shown(text) == text)
        #expect(throws: PhoneNumberError.self) { try PhoneNumber(parsing: text, region: .korea) }
    }

    @Test func `what stays as it was typed is short and has no control characters`() {
        #expect(shown("\n x\t1\u{0}\u{1B}[2J") == "x 1\u{FFFD}\u{FFFD}[2J")
        let digits = "010-1234-5678"
        let spaces = String(repeating: " ", count: 51)
        // What is left of it must not be the number.
        #expect(shown(digits + spaces + "x9") == digits + spaces + "…")
        #expect(shown(digits + spaces + "…") == digits + spaces + "…")
        #expect(shown(digits + spaces + "9") == digits + spaces + "…")
    }

    @Test func `a bare calling code is left alone until the number is whole`() {
        #expect(
            typing("821012345678") == [
                "8", "82", "821", "8210", "82101", "821012", "8210123", "82101234", "821012345", "8210123456",
                "82101234567",
                "82 10-1234-5678",
            ]
        )
        #expect(
            typing("00821012345678").suffix(3) == ["008210123456", "0082101234567", "00 82 10-1234-5678"]
        )
    }

    @Test func `digits too many or of no number are shown as they are`() {
        #expect(
            typing("010123456789").suffix(2) == ["010-1234-5678", "010123456789"]
        )
        #expect(shown("02-1234-56789") == "02123456789")
        #expect(shown("1588-12345") == "158812345")
        #expect(shown("+82 10-1234-56789") == "+8210123456789")
        #expect(shown("+82 99") == "+82 99")
        #expect(shown("+82 9999") == "+829999")
        #expect(shown("999-1234") == "9991234")
        #expect(shown("09-12") == "0912")
        #expect(shown("0101234567890123456") == "0101234567890123456")
        #expect(shown("01012345678901234567") == "01012345678901234567")
        // Without the last digit it might be a number.
        #expect(shown("010123456789012345678") == "010123456789012345678")
    }

    @Test func `a text of any length is read once and shown short`() {
        let kilobytes = 10 * 1024
        for text in ["1", "x", "-", "+", "e\u{301}", "👨‍👩‍👧"] {
            let text = String(repeating: text, count: kilobytes)
            #expect(shown(text) == String(text.unicodeScalars.prefix(64)) + "…")
        }
        #expect(shown("010" + String(repeating: " ", count: kilobytes)) == "010-")
    }

    @Test func `a whole number is shown as it is written, and read from what is shown`() throws {
        var generator = SplitMix64(seed: 7)
        for _ in 0..<2000 {
            let digits = generator.koreanNumber().digits
            let number = try PhoneNumber(parsing: digits, region: .korea)
            #expect(shown(digits) == number.nationalFormat)
            #expect(shown(number.nationalFormat) == number.nationalFormat)
            #expect(shown(number.e164) == number.internationalFormat)
            #expect(shown(number.internationalFormat) == number.internationalFormat)
            #expect(shown(String(number.e164.dropFirst())) == number.internationalFormat.dropFirst())
        }
    }

    @Test func `a region without a plan shows digits, and a number with its calling code grouped`() throws {
        let nowhere = try #require(Region("ZZ"))
        #expect(plans.format("06 12-34", region: nowhere) == "061234")
        #expect(plans.format("+8210-1234", region: nowhere) == "+82 10-1234")
    }
}
