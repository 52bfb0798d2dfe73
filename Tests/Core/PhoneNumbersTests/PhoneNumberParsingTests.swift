import PhoneNumbers
import PhoneTestSupport
import Testing

@Suite struct PhoneNumberParsingTests {
    private func failure(_ text: String, plans: NumberingPlans = .builtIn) -> PhoneNumberError? {
        do {
            _ = try PhoneNumber(parsing: text, region: .korea, plans: plans)
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: KoreanExample.all)
    func `a number of each class is known in all its forms`(_ example: KoreanExample) throws {
        let number = try PhoneNumber(parsing: example.digits, region: .korea)
        #expect(number.kind == example.kind)
        #expect(number.region == .korea)
        #expect(number.e164 == example.e164)
        #expect(number.nationalDigits == example.digits)
        #expect(number.nationalFormat == example.national)
        #expect(number.internationalFormat == example.international)
        #expect(number.prefix == example.e164.dropLast(4))
    }

    @Test(arguments: [
        "01012345678",
        "010-1234-5678",
        "010 1234 5678",
        "010.1234.5678",
        "010/1234/5678",
        "(010) 1234-5678",
        "[010]1234–5678",
        "+821012345678",
        "+82 10-1234-5678",
        "+82-10-1234-5678",
        "(+82) 10 1234 5678",
        "+82 (0)10 1234 5678",
        "+8201012345678",
        "8201012345678",
        "821012345678",
        "82-10-1234-5678",
        "８２ 10 1234 5678",
        "0082 10 1234 5678",
        "00 82 (0)10 1234 5678",
        "001 82 10 1234 5678",
        "00700 82 10 1234 5678",
        "1012345678",
        "０１０１２３４５６７８",
        "＋８２　１０　１２３４　５６７８",
        "٠١٠١٢٣٤٥٦٧٨",
        "०१०-१२३४-५६७८",
        "𝟘𝟙𝟘𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠",
        "\u{202A}+82\u{A0}10\u{2011}1234\u{2011}5678\u{202C}",
        "\u{FEFF}010\u{200B}1234\u{200D}5678\u{200F}",
        "  010-1234-5678\r\n",
        "010\u{2212}1234\u{FF0D}5678",
        "010ー1234ー5678",
        "010ｰ1234・5678",
        "tel:+82-10-1234-5678",
        " TEL:010-1234-5678",
        "++821012345678",
        "+ ＋82 10 1234 5678",
    ])
    func `every common spelling is the same number`(_ text: String) throws {
        let number = try PhoneNumber(parsing: text, region: .korea)
        #expect(number.e164 == "+821012345678")
        #expect(number.nationalFormat == "010-1234-5678")
        #expect(number == (try PhoneNumber(e164: "+821012345678")))
        #expect(Set([number, try PhoneNumber(e164: "+821012345678")]).count == 1)
    }

    @Test(
        arguments: [
            ("", .empty),
            ("   \n", .empty),
            ("-", .empty),
            ("()", .empty),
            ("+", .empty),
            ("\u{200B}\u{FEFF}", .empty),
            ("😀", .notANumber),
            ("010-1234-567O", .notANumber),
            ("010-1234-5678😀", .notANumber),
            ("0️⃣10-1234-5678", .notANumber),
            ("call 010-1234-5678", .notANumber),
            ("공일공-1234-5678", .notANumber),
            ("0101+234-5678", .notANumber),
            ("010-1234-5678;ext=1", .notANumber),
            ("tel:+82-10-1234-5678;ext=1", .notANumber),
            ("tel:", .empty),
            ("tel 010-1234-5678", .notANumber),
            ("02-+82 10-1234-5678", .notANumber),
            ("02-1234-5678~9", .notANumber),
            ("010-1234-5678\0", .notANumber),
            ("+", .empty),
            ("0", .tooShort),
            ("010", .tooShort),
            ("010-", .tooShort),
            ("010-345-6789", .tooShort),
            ("010-1234-567", .tooShort),
            ("02-123-456", .tooShort),
            ("1588-123", .tooShort),
            ("+8", .tooShort),
            ("+82", .tooShort),
            ("+82 10 1234 567", .tooShort),
            ("82101234567", .tooShort),
            ("0082101234567", .tooShort),
            ("010-1234-56789", .tooLong),
            ("02-1234-56789", .tooLong),
            ("1588-12345", .tooLong),
            ("1600-123-4567", .tooLong),
            ("+82 10 1234 56789", .tooLong),
            ("8210123456789", .tooLong),
            ("010123456780101234567801", .tooLong),
            ("1234-5678", .noSuchNumber),
            ("212345678", .noSuchNumber),
            ("112", .noSuchNumber),
            ("013-1234-5678", .noSuchNumber),
            ("014-1234-5678", .noSuchNumber),
            ("02-0123-4567", .noSuchNumber),
            ("034-123-4567", .noSuchNumber),
            ("045-123-4567", .noSuchNumber),
            ("056-123-4567", .noSuchNumber),
            ("065-123-4567", .noSuchNumber),
            ("060-123-4567", .noSuchNumber),
            ("090-1234-5678", .noSuchNumber),
            ("+82 9012345678", .noSuchNumber),
            ("+0821012345678", .noSuchNumber),
            ("0000000000", .noSuchNumber),
            ("+1 115 555 0100", .noSuchNumber),
            ("+44 20 7946 001", .tooShort),
            ("+999 2 123 4567", .unsupportedCallingCode("999")),
            ("00 999 2 123 4567", .unsupportedCallingCode("999")),
        ] as [(String, PhoneNumberError)]
    )
    func `what is no number says why`(_ text: String, _ error: PhoneNumberError) {
        #expect(failure(text) == error)
    }

    @Test func `a representative number takes no trunk prefix`() {
        // 015 is the pager's prefix, and no pager has so few digits.
        #expect(failure("01588-1234") == .tooShort)
        #expect(failure("01800-1234") == .tooShort)
        #expect(failure("02-1588-1234") == nil)
    }

    @Test func `what is absurdly long is refused, whatever it is made of`() {
        let kilobytes = 10 * 1024
        #expect(failure(String(repeating: "1", count: kilobytes)) == .tooLong)
        #expect(failure(String(repeating: "x", count: kilobytes)) == .tooLong)
        #expect(failure(String(repeating: "😀", count: kilobytes)) == .tooLong)
        #expect(failure(String(repeating: "-", count: kilobytes)) == .tooLong)
        #expect(failure("010" + String(repeating: "\u{301}", count: kilobytes)) == .tooLong)
        #expect(failure(String(repeating: " ", count: kilobytes)) == .empty)
        #expect(failure(String(repeating: " ", count: kilobytes) + "01012345678" + "\n\n") == nil)
    }

    @Test func `64 characters are read, and 65 are not`() {
        let separators = String(repeating: "-", count: 53)
        #expect(failure("010" + separators + "12345678") == nil)
        #expect(failure(" 010" + separators + "12345678 ") == nil)
        #expect(failure("010-" + separators + "12345678") == .tooLong)
    }

    @Test func `a region without a plan is named, and a number with its calling code can still be read`() throws {
        let nowhere = try #require(Region("zz"))
        #expect(throws: PhoneNumberError.unknownRegion(nowhere)) {
            try PhoneNumber(parsing: "06 12 34 56 78", region: nowhere)
        }
        #expect(try PhoneNumber(parsing: "+82 10-1234-5678", region: nowhere).e164 == "+821012345678")
    }

    @Test(arguments: [
        "821012345678", "01012345678", "+82 1012345678", "+８２1012345678", " +821012345678", "+821012345678\n",
        "+8201012345678", "", "+", "+82101234567a", "+8210123456789012345",
    ])
    func `only E.164 itself is read back from a store`(_ text: String) {
        #expect(throws: PhoneNumberError.self) { try PhoneNumber(e164: text) }
    }

    @Test func `a number of any class survives the way through each of its forms`() throws {
        var generator = SplitMix64(seed: 1)
        for _ in 0..<2000 {
            let (digits, kind) = generator.koreanNumber()
            let number = try PhoneNumber(parsing: digits, region: .korea)
            #expect(number.kind == kind, "\(digits)")
            #expect(number.nationalDigits == digits)
            #expect(number.nationalFormat.filter(\.isNumber) == digits)
            #expect(try PhoneNumber(parsing: number.nationalFormat, region: .korea).e164 == number.e164)
            #expect(try PhoneNumber(parsing: number.internationalFormat, region: .korea).e164 == number.e164)
            #expect(try PhoneNumber(e164: number.e164).kind == kind)
            #expect(try PhoneNumber(parsing: "00" + number.e164.dropFirst(), region: .korea).e164 == number.e164)
        }
    }

    @Test func `no text, however strange, is read as a number that is not E.164`() {
        var generator = SplitMix64(seed: 2)
        var read = 0
        for _ in 0..<20_000 {
            guard let number = try? PhoneNumber(parsing: generator.text(), region: .korea) else { continue }
            read += 1
            #expect(number.e164.wholeMatch(of: /\+82[1-9][0-9]{7,10}/) != nil)
        }
        #expect(read > 100)
    }

    @Test func `errors have stable names and say what to do`() {
        let errors: [PhoneNumberError] = [
            .empty, .notANumber, .tooLong, .tooShort, .unknownRegion(.korea), .unsupportedCallingCode("1"),
            .noSuchNumber,
        ]
        #expect(
            errors.map(\.code) == [
                "empty", "not_a_number", "too_long", "too_short", "unknown_region", "unsupported_calling_code",
                "no_such_number",
            ]
        )
        #expect(PhoneNumberError.unsupportedCallingCode("1").detail.contains("+1 "))
        #expect(PhoneNumberError.unknownRegion(.korea).detail.contains("KR"))
        #expect(Set(errors.map(\.detail)).count == errors.count)
    }
}
