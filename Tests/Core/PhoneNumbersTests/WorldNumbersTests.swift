import PhoneTestSupport
import Testing

@testable import PhoneNumbers

/// The plans of the world. What they say is compared with another library by scripts/numbers/compare; here are the
/// cases that plans are shaped by, in their own words.
@Suite struct WorldNumbersTests {
    private let plans = NumberingPlans.builtIn

    private func region(_ code: String) throws -> Region {
        try #require(Region(code))
    }

    @Test func `every region of the world has a plan`() {
        #expect(plans.regions.count == 245)
        for region in plans.regions {
            let plan = plans.plan(for: region)
            #expect(plan?.region == region)
            #expect(plan?.rules.isEmpty == false, "\(region)")
            #expect(plan?.internationalPrefixes.isEmpty == false, "\(region)")
        }
    }

    @Test func `each record is read whole: no pattern is left out for not being understood`() {
        // Counted by scripts/numbers/update-plans in its source.
        let all = plans.regions.compactMap(plans.plan(for:)).filter { $0.region != .korea }
        #expect(all.map(\.rules.count).reduce(0, +) == 1115)
        #expect(Set(all.map(\.callingCode)).count == 205)
    }

    @Test(
        arguments: [
            ("US", "(415) 555-0100", "+14155550100", "US", .fixedLineOrMobile, "(415) 555-0100", "+1 415-555-0100"),
            ("US", "1-604-555-0100", "+16045550100", "CA", .fixedLineOrMobile, "(604) 555-0100", "+1 604-555-0100"),
            ("AG", "464 1234", "+12684641234", "AG", .mobile, "(268) 464-1234", "+1 268-464-1234"),
            ("KR", "+44 (0)20 7946 0018", "+442079460018", "GB", .fixedLine, "020 7946 0018", "+44 20 7946 0018"),
            ("JE", "07797 712345", "+447797712345", "JE", .mobile, "07797 712345", "+44 7797 712345"),
            ("FR", "06 12 34 56 78", "+33612345678", "FR", .mobile, "06 12 34 56 78", "+33 6 12 34 56 78"),
            ("IT", "06 1234 5678", "+390612345678", "IT", .fixedLine, "06 1234 5678", "+39 06 1234 5678"),
            ("VA", "06 698 12345", "+390669812345", "VA", .fixedLine, "06 6981 2345", "+39 06 6981 2345"),
            ("AR", "011 15-2345-6789", "+5491123456789", "AR", .mobile, "011 15-2345-6789", "+54 9 11 2345-6789"),
            ("AR", "+54 11 15 2345 6789", "+5491123456789", "AR", .mobile, "011 15-2345-6789", "+54 9 11 2345-6789"),
            ("BR", "0 15 11 96123-4567", "+5511961234567", "BR", .mobile, "(11) 96123-4567", "+55 11 96123-4567"),
            ("MX", "200 123 4567", "+522001234567", "MX", .fixedLine, "200 123 4567", "+52 200 123 4567"),
            ("RU", "8 (912) 345-67-89", "+79123456789", "RU", .mobile, "8 (912) 345-67-89", "+7 912 345-67-89"),
            ("RU", "8 771 000 9998", "+77710009998", "KZ", .mobile, "8 (771) 000 9998", "+7 771 000 9998"),
            ("HU", "06 20 123 4567", "+36201234567", "HU", .mobile, "06 20 123 4567", "+36 20 123 4567"),
            ("SM", "912345", "+3780549912345", "SM", .fixedLine, "0549 912345", "+378 0549 912345"),
            ("CN", "138 0013 8000", "+8613800138000", "CN", .mobile, "138 0013 8000", "+86 138 0013 8000"),
            ("AU", "0011 82 10 1234 5678", "+821012345678", "KR", .mobile, "010-1234-5678", "+82 10-1234-5678"),
            ("KR", "+881 6 123 45678", "+881612345678", "001", .mobile, "6 123 45678", "+881 6 123 45678"),
            ("DK", "25 29 91 06", "+4525299106", "DK", .fixedLineOrMobile, "25 29 91 06", "+45 25 29 91 06"),
            ("MC", "+377 87 02 02 84", "+37787020284", "MC", .fixedLine, "870 202 84", "+377 87 02 02 84"),
            ("KR", "+800 1234 5678", "+80012345678", "001", .tollFree, "1234 5678", "+800 1234 5678"),
            // More digits than the world can dial.
            (
                "JP", "0066 230179 206255", "+810066230179206255", "JP", .tollFree, "0066-230179-206255",
                "+81 0066230179206255"
            ),
            (
                "NG", "0700 12345 678901", "+23470012345678901", "NG", .representative, "0700 12345 678901",
                "+234 700 12345 678901"
            ),
            // What begins like an international prefix and is a number at home is that.
            ("BG", "00800 111 4920", "+359008001114920", "BG", .tollFree, "008001114920", "+359 008001114920"),
            // A calling code without its plus sign comes before a number of a neighbour, here of Finland's 03.
            ("AX", "358 50 9442", "+358509442", "FI", .mobile, "050 9442", "+358 50 9442"),
            ("FI", "358 50 9442", "+358358509442", "FI", .fixedLine, "03 58509442", "+358 3 58509442"),
        ] as [(String, String, String, String, NumberKind, String, String)]
    )
    func `a number is known in all its forms`(
        _ home: String,
        _ text: String,
        _ e164: String,
        _ owner: String,
        _ kind: NumberKind,
        _ national: String,
        _ international: String
    ) throws {
        let number = try PhoneNumber(parsing: text, region: region(home))
        #expect(number.e164 == e164)
        #expect(number.region.description == owner)
        #expect(number.kind == kind)
        #expect(number.nationalFormat == national)
        #expect(number.nationalDigits == national.filter(\.isNumber))
        #expect(number.internationalFormat == international)
        #expect(try PhoneNumber(e164: e164) == number)
    }

    @Test(
        arguments: [
            ("US", "415 555 010", .tooShort),
            ("US", "415 555", .tooShort),
            ("US", "115 555 0100", .noSuchNumber),
            ("US", "415 555 01000", .tooLong),
            ("GB", "020 7946 001", .tooShort),
            ("FR", "+33 00 12 34 56 78", .noSuchNumber),
            // A fixed line by its class, and none by the pattern of all numbers of Germany.
            ("DE", "+49 4930 123456", .noSuchNumber),
            ("JP", "0066 2301 7920 6255 12", .tooLong),
            // A number of Norfolk Island's calling code that no region has.
            ("NF", "+672 99999", .noSuchNumber),
        ] as [(String, String, PhoneNumberError)]
    )
    func `what is no number says why`(_ home: String, _ text: String, _ error: PhoneNumberError) throws {
        let region = try region(home)
        #expect(throws: error) { try PhoneNumber(parsing: text, region: region) }
    }

    @Test(
        arguments: [
            ("FR", ["0", "06", "061", "06 12", "06 12 3", "06 12 34", "06 12 34 5", "06 12 34 56", "06 12 34 56 7"]),
            ("US", ["4", "41", "415", "415-5", "415-55", "415-555", "415-5550", "(415) 555-01", "(415) 555-010"]),
            ("US", ["1", "1 4", "1 41", "1 (415", "1 (415) 5", "1 (415) 55"]),
            ("RU", ["8", "89", "891", "8 912", "8 912 3", "8 912 34", "8 912 345", "8 912 345-6"]),
            ("KR", ["+", "+3", "+33", "+33 6", "+33 61", "+33 6 12"]),
            ("BY", ["+", "+3", "+37", "+375", "+375 8", "+375 81", "+375 810"]),
            ("AR", ["0", "01", "011", "011 1", "011 15", "011 152", "011 1523", "011 1523-4"]),
            ("JE", ["0", "07", "077", "0779", "07797", "07797 7", "07797 71"]),
        ] as [(String, [String])]
    )
    func `digits are grouped as they are typed`(_ home: String, _ history: [String]) throws {
        let region = try region(home)
        var field = ""
        for shown in history {
            let last = try #require(shown.last)
            field = plans.format(field + String(last), region: region)
            #expect(field == shown)
        }
    }

    @Test func `a format for just as many digits comes before one for more`() throws {
        #expect(plans.format("080012345", region: try region("BR")) == "0800 123 45")
        #expect(plans.format("0800123456", region: try region("BR")) == "0800 12 3456")
        #expect(plans.format("08001234567", region: try region("BR")) == "0800 123 4567")
    }

    @Test func `a longer trunk prefix is set apart when no number goes on behind the shorter one`() throws {
        #expect(plans.format("01115234567", region: try region("AR")) == "011 1523-4567")
        #expect(plans.format("0111523456789", region: try region("AR")) == "01115 2345 67-89")
    }

    @Test func `a calling code is set apart where numbers are written without groups, and not where there are none`() {
        let ascension = [
            "+", "+2", "+24", "+247", "+247 4", "+247 40", "+247 401", "+247 4012", "+247 40123", "+247401234",
        ]
        let none = ["+", "+5", "+50", "+500", "+500 1", "+500 11", "+500111", "+5001111"]
        for history in [ascension, none] {
            var field = ""
            for shown in history {
                field = plans.format(field + String(shown.suffix(1)), region: .korea)
                #expect(field == shown)
            }
        }
    }

    @Test func `digits behind a trunk prefix that no number goes on with are shown as typed`() throws {
        // Without its 8 this may be 800 555-35-35, which is read.
        #expect(plans.format("8005553535", region: try region("RU")) == "8005553535")
        #expect(plans.format("88005553535", region: try region("RU")) == "8 800 555-35-35")
        #expect(try PhoneNumber(parsing: "8005553535", region: region("RU")).kind == .tollFree)
    }

    @Test func `a trunk prefix behind the calling code stays, with its number grouped as at home`() {
        #expect(plans.format("+440", region: .korea) == "+44 0")
        #expect(plans.format("+4402", region: .korea) == "+44 02")
        #expect(plans.format("+44 (0)20 79", region: .korea) == "+44 020 79")
        // Read as Antananarivo's, with 20 before it, which was not typed.
        #expect(plans.format("+261 4200672", region: .korea) == "+261 4200672")
    }

    @Test func `a number without its trunk prefix or area code stays as it is typed`() throws {
        #expect(plans.format("64852932", region: try region("AT")) == "64852932")
        #expect(plans.format("779771", region: try region("JE")) == "779771")
        #expect(plans.format("06 12345678", region: try region("GA")) == "06 12345678".filter(\.isNumber))
    }

    @Test func `a number behind a bare calling code or an international prefix is grouped once it is whole`() throws {
        #expect(plans.format("33612345678", region: try region("FR")) == "33 6 12 34 56 78")
        #expect(plans.format("0033612345678", region: try region("FR")) == "00 33 6 12 34 56 78")
        #expect(plans.format("0033612345678", region: try region("DE")) == "00 33 6 12 34 56 78")
        #expect(plans.format("01133612345678", region: try region("US")) == "011 33 6 12 34 56 78")
        #expect(plans.format("2415774356", region: try region("GA")) == "241 5 77 43 56")
    }

    @Test func `every region has an example for its form, of its calling code and a mobile one where there are any`() {
        for region in plans.regions {
            guard let example = plans.example(for: region) else {
                Issue.record("\(region) has none")
                continue
            }
            #expect(example.callingCode == plans.callingCode(of: region), "\(region)")
            // Tristan da Cunha has fixed lines only.
            let kinds: [NumberKind] = region.description == "TA" ? [.fixedLine] : [.mobile, .fixedLineOrMobile]
            #expect(kinds.contains(example.kind), "\(region)")
        }
        #expect(plans.example(for: .korea)?.nationalFormat == "010-1234-5678")
    }

    @Test(
        arguments: [
            ("", "KR"), ("010-1234-5678", "KR"), ("+", "KR"), ("+8", "KR"), ("+82", "KR"), ("+49", "DE"),
            ("+49 15", "DE"),
            ("+44 7797 712345", "GB"), ("0049", "KR"), ("00 49 1512 3456789", "DE"), ("0082 10 1234 5678", "KR"),
            ("001 49 1512 3456789", "DE"), ("+800 1234 5678", "001"), ("49x", "KR"),
        ]
    )
    func `a calling code that is typed says which country the number is of`(_ text: String, _ country: String) throws {
        #expect(plans.region(typed: text, in: .korea) == (try region(country)))
    }

    @Test func `a country that has the calling code as well stays`() throws {
        #expect(plans.region(typed: "+1 415", in: try region("CA")) == (try region("CA")))
        #expect(plans.region(typed: "+1 415", in: .korea) == (try region("US")))
    }

    /// What is typed into an empty field, one key after another, at whose every change the text is formatted.
    private func typing(_ keys: String, _ region: Region) -> String {
        keys.reduce("") { plans.format($0 + String($1), region: region) }
    }

    /// Why a spelling of a number is not that number in its region; nil where it is.
    private func exception(_ spelling: String, _ number: PhoneNumber, _ region: Region, as typed: String) -> String? {
        switch (region.description, spelling) {
        case ("KR", "bare") where number.kind != .mobile && number.kind != .representative:
            "The same digits are a local number of an unknown place; Korea's plan is our own."
        case ("GA", "national") where number.kind == .mobile && number.significantDigits.utf8.count == 7:
            "A number of seven digits, as they were until 2019, with its 0 is one of today's eight."
        case ("TH", "prefix") where number.kind == .fixedLine && typed.hasPrefix("0066"):
            "006 and 6…: behind 00 it is +66 as well, with one digit more."
        case _ where typed.utf8.count > PhoneNumber.mostDigits:
            "More digits than any text of a number may have."
        default: nil
        }
    }

    /// The numbers to type: the example, and some of each kind that the plan has.
    private func samples(of plan: NumberingPlan, using generator: inout SplitMix64) -> [PhoneNumber] {
        let digits = plan.rules.flatMap { rule in (0..<4).map { _ in generator.number(of: rule.pattern) } }
        return [plans.example(for: plan.region)].compactMap(\.self)
            + digits.compactMap { try? PhoneNumber(e164: "+\(plan.callingCode)\($0)") }
    }

    @Test func `what a person types from the start is their number, in every region and each way to write it`() {
        var generator = SplitMix64(seed: 13)
        var (count, exceptions) = (0, 0)
        for region in plans.regions {
            guard let plan = plans.plan(for: region) else { continue }
            for number in samples(of: plan, using: &generator) {
                let digits = String(number.e164.dropFirst())
                let spellings =
                    [
                        ("national", number.nationalDigits), ("bare", String(number.significantDigits)),
                        ("plus", number.e164), ("00", "00" + digits),
                    ] + plan.internationalPrefixes.prefix(9).map { ("prefix", $0 + digits) }
                for (spelling, keys) in spellings {
                    count += 1
                    let shown = typing(keys, region)
                    let read = try? PhoneNumber(parsing: shown, region: region)
                    if exception(spelling, number, region, as: keys) != nil {
                        exceptions += 1
                    } else {
                        #expect(read?.e164 == number.e164, "\(spelling) \(keys) in \(region), shown as \(shown)")
                    }
                }
            }
        }
        #expect(count > 25_000)
        #expect(exceptions < 200)
    }

    @Test func `a number of any other country is typed with + or 00`() {
        let examples = plans.regions.compactMap(plans.example(for:))
        for (index, region) in plans.regions.enumerated() {
            for step in 1...20 {
                let number = examples[(index * 7 + step * 12) % examples.count]
                for keys in [number.e164, "00" + number.e164.dropFirst()] {
                    // Toll-free numbers of Japan begin with 0037: what is a number at home is read as that.
                    if region.description == "JP", keys.hasPrefix("0037") { continue }
                    let shown = typing(keys, region)
                    let read = try? PhoneNumber(parsing: shown, region: region)
                    #expect(read?.e164 == number.e164, "\(keys) in \(region), shown as \(shown)")
                }
            }
        }
    }

    @Test func `in every region any text is shown the same again, and can be deleted to nothing`() {
        var generator = SplitMix64(seed: 10)
        for region in plans.regions {
            for _ in 0..<40 {
                let digits = generator.digits(Int.random(in: 0...16, using: &generator))
                let text = ["", "+", "0", "00"].randomElement(using: &generator).map { $0 + digits } ?? digits
                var field = plans.format(
                    Bool.random(using: &generator) ? text : generator.text() + text,
                    region: region
                )
                #expect(plans.format(field, region: region) == field, "\(text.debugDescription) in \(region)")
                var backspaces = 0
                while !field.isEmpty, backspaces < 45 {
                    field = plans.format(String(field.dropLast()), region: region)
                    backspaces += 1
                }
                #expect(field == "", "\(text.debugDescription) in \(region)")
            }
        }
    }

    @Test func `a number of any region survives the way through each of its forms`() throws {
        var generator = SplitMix64(seed: 11)
        var read = 0
        for region in plans.regions {
            guard let plan = plans.plan(for: region) else { continue }
            for _ in 0..<60 {
                let digits = generator.digits(Int.random(in: 7...10, using: &generator))
                guard let number = try? PhoneNumber(parsing: "+\(plan.callingCode)\(digits)", region: region) else {
                    continue
                }
                read += 1
                #expect(number.e164.wholeMatch(of: /\+[1-9][0-9]{4,14}/) != nil)
                #expect(try PhoneNumber(e164: number.e164) == number)
                #expect(try PhoneNumber(parsing: number.internationalFormat, region: .korea) == number)
                #expect(number.masked.count { $0 == "*" } >= 3)
            }
        }
        #expect(read > 1000)
    }

    @Test(
        arguments: [
            ("DE", "0171 2345678 x9"), ("DE", "0171 2345678;ext=7"), ("DE", "0171 2345678 Durchwahl 3"),
            ("DE", "0171 2345678 int. 7"), ("AT", "0664 123456 #12"), ("NZ", "021 123 456 #12"),
            ("ID", "0812 3456 789 #12"), ("IT", "347 123 456 #12"), ("FI", "040 123456 #12"), ("RO", "+4072d3800439"),
            ("DE", "tel:+49-171-2345678;ext=7"), ("DE", "+49 +82 10-1234-5678"), ("JP", "090-1234-567～8"),
        ]
    )
    func `an extension is never dialled: the text stays as it was typed, and is refused`(
        _ home: String,
        _ text: String
    ) throws {
        let region = try region(home)
        #expect(plans.format(text, region: region) == text)
        var field = ""
        for character in text { field = plans.format(field + String(character), region: region) }
        for text in [text, field] {
            #expect(throws: PhoneNumberError.notANumber) { try PhoneNumber(parsing: text, region: region) }
        }
    }

    @Test func `what the field shows is read as what was typed, in every region: as the same number, or as none`() {
        var generator = SplitMix64(seed: 12)
        var (read, refused) = (0, 0)
        for region in plans.regions {
            guard let plan = plans.plan(for: region) else { continue }
            let beginnings = [
                "", plan.trunkPrefix, plan.callingCode, "+\(plan.callingCode)",
                "+\(plan.callingCode)\(plan.trunkPrefix)", "00\(plan.callingCode)", "tel:+\(plan.callingCode)",
                plan.internationalPrefixes[0] + plan.callingCode,
            ]
            for _ in 0..<60 {
                let digits = generator.digits(Int.random(in: 5...12, using: &generator))
                let end = ["", "", "", " x9", ";ext=7", "#1", "ー1"].randomElement(using: &generator) ?? ""
                for beginning in beginnings {
                    let text = beginning + digits + end
                    let number = try? PhoneNumber(parsing: text, region: region)
                    if number == nil { refused += 1 } else { read += 1 }
                    let shown = plans.format(text, region: region)
                    #expect(
                        (try? PhoneNumber(parsing: shown, region: region)) == number,
                        "\(text) in \(region): \(shown)"
                    )
                }
            }
        }
        #expect(read > 4000)
        #expect(refused > 5000)
    }
}
