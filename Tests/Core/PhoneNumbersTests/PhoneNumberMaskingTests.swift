import PhoneNumbers
import PhoneTestSupport
import Testing

@Suite struct PhoneNumberMaskingTests {
    @Test(arguments: KoreanExample.all)
    func `the first group and the last four digits stay`(_ example: KoreanExample) throws {
        #expect(try PhoneNumber(e164: example.e164).masked == example.masked)
    }

    @Test func `nothing that prints a number prints its middle`() throws {
        let number = try PhoneNumber(parsing: "010-2468-1357", region: .korea)
        var dumped = ""
        dump([number], to: &dumped)
        let prints = [
            "\(number)", String(reflecting: number), "\([number])", "\(Optional(number) as Any)", "\(["key": number])",
            dumped,
            "\(Mirror(reflecting: number).children.map(\.value))",
        ]
        #expect(prints[0] == "+82 10-****-1357")
        #expect(prints[1] == "+82 10-****-1357")
        for print in prints {
            #expect(!print.contains("2468"))
            #expect(print.contains("+82 10-****-1357"))
        }
    }

    @Test func `at least three digits of any number are hidden, and no more than its last four and first group shown`()
        throws
    {
        var generator = SplitMix64(seed: 3)
        for _ in 0..<2000 {
            let number = try PhoneNumber(parsing: generator.koreanNumber().digits, region: .korea)
            let masked = number.masked
            #expect(masked.count == number.internationalFormat.count)
            #expect(masked.hasSuffix(number.e164.suffix(4)))
            #expect(masked.count { $0 == "*" } >= 3)
            #expect(masked.wholeMatch(of: /\+82 (?:[0-9]{1,3}-\*{3,4}|\*{4})-[0-9]{4}/) != nil)
        }
    }

    @Test func `a short number of a plan without groups hides three digits as well`() throws {
        let plan = NumberingPlan(
            region: try #require(Region("SH")),
            callingCode: "290",
            trunkPrefix: "",
            internationalPrefixes: ["00"],
            rules: [NumberingRule(.mobile, #"[56]\d{4}"#), NumberingRule(.fixedLine, #"2\d{3}"#)],
            formats: []
        )
        let plans = NumberingPlans([plan])
        #expect(try PhoneNumber(e164: "+29051234", plans: plans).masked == "+290 ***34")
        #expect(try PhoneNumber(e164: "+2902345", plans: plans).masked == "+290 ***5")
    }
}
