import PhoneNumbers
import PhoneTestSupport
import Testing

@Suite struct DigitPatternTests {
    private static let korean = NumberingPlan.korea.rules.map(\.pattern)

    @Test func `each Korean rule has a pattern that compiles`() {
        #expect(Self.korean.count == 11)
        for pattern in Self.korean {
            #expect(DigitPattern(pattern.text) != nil)
        }
    }

    @Test(arguments: korean + ["", "0?", "(12){2,3}", "1|12|123", "[0-9]{0,4}5", #"(?:1|2\d)?3{1,2}(?:4|)"#])
    func `a pattern means what it means as a regular expression`(_ pattern: DigitPattern) throws {
        let regex = try Regex(pattern.text)
        var generator = SplitMix64(seed: 4)
        for _ in 0..<500 {
            var digits = generator.koreanNumber().digits
            if digits.hasPrefix("0") { digits.removeFirst() }
            switch Int.random(in: 0...4, using: &generator) {
            case 0: digits += generator.digits(1)
            case 1: digits.removeLast()
            case 2: digits = generator.digits(Int.random(in: 0...6, using: &generator))
            default: break
            }
            #expect(
                (pattern.match(digits) == .whole) == (try regex.wholeMatch(in: digits) != nil),
                "\(digits) by \(pattern.text)"
            )
        }
    }

    @Test(arguments: [#"1(?:2|3[45])\d{0,1}"#, "12?3{1,2}", "(?:1|22)(?:3|33)?"] as [DigitPattern])
    func `a match distinguishes a beginning from too many digits and from no number`(_ pattern: DigitPattern) throws {
        let regex = try Regex(pattern.text)
        var texts = [""]
        var longest = texts
        for _ in 1...4 {
            longest = longest.flatMap { text in "12345".map { text + String($0) } }
            texts += longest
        }
        let whole = Set(try texts.filter { try regex.wholeMatch(in: $0) != nil })
        #expect(!whole.isEmpty)
        for text in texts where text.count < 4 {
            let expected: DigitPattern.Match =
                if whole.contains(text) {
                    .whole
                } else if whole.contains(where: { $0.hasPrefix(text) }) {
                    .partial
                } else if whole.contains(where: { text.hasPrefix($0) }) {
                    .overrun
                } else {
                    .none
                }
            #expect(pattern.match(text) == expected, "\(text)")
        }
    }

    @Test(arguments: [
        "(", ")", "(1", "1)", "[", "[]", "[1", "[3-1]", "[a]", "a", "1*", "1+", "^1", "1$", ".", #"\w"#, #"\"#, "1{",
        "1{}",
        "1{2", "1{2,", "1{2,1}", "1{,2}", "1{21}", "1{99999999999999999999}", "(?", "(?=1)", "?", "{2}", "１",
    ])
    func `what is not of the language is refused`(_ text: String) {
        #expect(DigitPattern(text) == nil)
    }

    @Test func `a literal that is not of the language matches nothing`() {
        let pattern: DigitPattern = "1+"
        #expect(pattern.match("") == .partial)
        #expect(pattern.match("1") == .none)
    }

    @Test func `only ASCII digits match`() {
        let pattern: DigitPattern = #"\d{1,3}"#
        #expect(pattern.match("12") == .whole)
        #expect(pattern.match("1a") == .none)
        #expect(pattern.match("١") == .none)
        #expect(pattern.match("-1") == .none)
    }
}
