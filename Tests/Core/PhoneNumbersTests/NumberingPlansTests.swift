import PhoneNumbers
import PhoneTestSupport
import Testing

@Suite struct NumberingPlansTests {
    /// Plans of other shapes than Korea's: no trunk prefix and a calling code shared by two regions; brackets; a trunk
    /// prefix that numbers begin with as well.
    private static func plans() throws -> NumberingPlans {
        let america = NumberingPlan(
            region: try #require(Region("US")),
            callingCode: "1",
            trunkPrefix: "",
            internationalPrefixes: ["011"],
            rules: [
                NumberingRule(.fixedLineOrMobile, #"(?:212|415)[2-9]\d{6}"#),
                NumberingRule(.tollFree, #"8(?:00|88)\d{7}"#),
            ],
            formats: [NumberFormat("[2-9]", national: "(XXX) XXX-XXXX", international: "XXX-XXX-XXXX", trunk: .never)]
        )
        let canada = NumberingPlan(
            region: try #require(Region("CA")),
            callingCode: "1",
            trunkPrefix: "",
            internationalPrefixes: ["011"],
            rules: [NumberingRule(.fixedLineOrMobile, #"(?:416|604)[2-9]\d{6}"#)],
            formats: america.formats
        )
        let russia = NumberingPlan(
            region: try #require(Region("RU")),
            callingCode: "7",
            trunkPrefix: "8",
            internationalPrefixes: ["810"],
            rules: [
                NumberingRule(.mobile, #"9\d{9}"#, trunk: .optional), NumberingRule(.tollFree, #"80[04]\d{7}"#),
            ],
            formats: [NumberFormat("[489]", national: "8 (XXX) XXX-XX-XX", international: "XXX XXX-XX-XX")]
        )
        return NumberingPlans([america, canada, russia, .korea])
    }

    @Test func `Korea is built in, with a plan of our own`() {
        #expect(NumberingPlans.builtIn.plan(for: .korea) === NumberingPlan.korea)
        #expect(NumberingPlans.builtIn.plan(for: .korea)?.callingCode == "82")
        #expect(NumberingPlans.builtIn.plan(for: .korea)?.trunkPrefix == "0")
        #expect(NumberingPlans.builtIn.plan(for: .korea)?.internationalPrefixes.first == "00")
    }

    @Test(
        arguments: [
            ("US", "415 555 0100", "+14155550100", "US", "(415) 555-0100"),
            ("US", "1 (415) 555-0100", "+14155550100", "US", "(415) 555-0100"),
            ("US", "604-555-0100", "+16045550100", "CA", "(604) 555-0100"),
            ("US", "904-555-0100", nil, "", ""),
            ("KR", "+1 604 555 0100", "+16045550100", "CA", "(604) 555-0100"),
            ("KR", "00 1 415 555 0100", "+14155550100", "US", "(415) 555-0100"),
            ("US", "011 82 10 1234 5678", "+821012345678", "KR", "010-1234-5678"),
            ("US", "010-1234-5678", nil, "", ""),
            ("RU", "8 (912) 345-67-89", "+79123456789", "RU", "8 (912) 345-67-89"),
            ("RU", "912 345-67-89", "+79123456789", "RU", "8 (912) 345-67-89"),
            ("RU", "8 800 123-45-67", "+78001234567", "RU", "8 (800) 123-45-67"),
            ("KR", "+7 800 123-45-67", "+78001234567", "RU", "8 (800) 123-45-67"),
            ("KR", "+7 8 800 123-45-67", "+78001234567", "RU", "8 (800) 123-45-67"),
        ] as [(String, String, String?, String, String)]
    )
    func `plans of other shapes are read by the same code`(
        _ home: String,
        _ text: String,
        _ e164: String?,
        _ region: String,
        _ national: String
    ) throws {
        let number = try? PhoneNumber(parsing: text, region: try #require(Region(home)), plans: try Self.plans())
        #expect(number?.e164 == e164)
        #expect((number?.region.description ?? "") == region)
        #expect((number?.nationalFormat ?? "") == national)
    }

    @Test func `brackets come and go with the digits between them`() throws {
        let plans = try Self.plans()
        let america = try #require(Region("US"))
        var field = ""
        var history: [String] = []
        for character in "4155550100" {
            field = plans.format(field + String(character), region: america)
            history.append(field)
        }
        #expect(
            history == [
                "(4", "(41", "(415", "(415) 5", "(415) 55", "(415) 555", "(415) 555-0", "(415) 555-01", "(415) 555-010",
                "(415) 555-0100",
            ]
        )
        history = []
        while !field.isEmpty, history.count < 40 {
            field = plans.format(String(field.dropLast()), region: america)
            history.append(field)
        }
        #expect(
            history == [
                "(415) 555-010", "(415) 555-01", "(415) 555-0", "(415) 555-", "(415) 555", "(415) 55", "(415) 5",
                "(415) ",
                "(415)", "(415", "(41", "(4", "",
            ]
        )
    }

    @Test func `a template that is too short for a number loses none of its digits`() throws {
        let plan = NumberingPlan(
            region: try #require(Region("XX")),
            callingCode: "999",
            trunkPrefix: "",
            internationalPrefixes: ["00"],
            rules: [NumberingRule(.mobile, #"5\d{5}"#)],
            formats: [NumberFormat("5", national: "X-XX", international: "XX XX XX")]
        )
        let number = try PhoneNumber(e164: "+999512345", plans: NumberingPlans([plan]))
        #expect(number.nationalFormat == "5-12345")
        #expect(number.internationalFormat == "+999 51 23 45")
    }

    @Test func `of two plans for a region the last counts`() throws {
        let other = NumberingPlan(
            region: .korea,
            callingCode: "82",
            trunkPrefix: "0",
            internationalPrefixes: ["00"],
            rules: [NumberingRule(.mobile, #"10\d{8}"#)],
            formats: []
        )
        let plans = NumberingPlans([.korea, other])
        #expect(plans.plan(for: .korea) === other)
        #expect(throws: PhoneNumberError.noSuchNumber) {
            try PhoneNumber(parsing: "02-123-4567", region: .korea, plans: plans)
        }
        let number = try PhoneNumber(parsing: "010-1234-5678", region: .korea, plans: plans)
        #expect(number.nationalFormat == "01012345678")
        #expect(number.internationalFormat == "+82 1012345678")
        #expect(number.masked == "+82 ******5678")
    }
}

@Suite struct RegionTests {
    @Test func `two letters of either case are a region`() {
        #expect(Region("KR") == .korea)
        #expect(Region("kr") == .korea)
        #expect(Region("kR")?.description == "KR")
        #expect(Region("GB")?.description == "GB")
        #expect(Region("GB") != .korea)
    }

    @Test(arguments: ["", "K", "KOR", "K1", "82", " K", "K ", "ﬃ", "é", "ａ", "한", "K\0", "k\u{301}"])
    func `anything else is not`(_ text: String) {
        #expect(Region(text) == nil)
    }

    @Test func `kinds have stable names`() {
        #expect(
            NumberKind.allCases.map(\.rawValue) == [
                "mobile", "legacy_mobile", "fixed_line", "fixed_line_or_mobile", "voip", "personal", "representative",
                "toll_free", "premium", "shared_cost", "pager", "voicemail", "machine",
            ]
        )
    }
}
