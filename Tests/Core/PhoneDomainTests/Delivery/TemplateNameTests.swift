import PhoneDomain
import Testing

@Suite struct TemplateNameTests {
    @Test func `a name is its own identifier`() throws {
        for (text, hexadecimal) in [
            ("default", "64656661756c74000000000000000000"), ("a", "61000000000000000000000000000000"),
            ("winter-1", "77696e7465722d310000000000000000"), ("0123456789abcdef", "30313233343536373839616263646566"),
        ] {
            let name = try #require(TemplateName(text))
            #expect(name.hexadecimal == hexadecimal)
            #expect(TemplateName(hexadecimal: hexadecimal) == name)
            #expect(TemplateName(hexadecimal: hexadecimal.uppercased()) == name)
        }
        #expect(TemplateName.standard.description == "default")
    }

    @Test(arguments: ["", "-a", "A", "a b", "a_b", "é", "0123456789abcdefg", "a\u{0}", "a\n"])
    func `other texts are no names`(text: String) {
        #expect(TemplateName(text) == nil)
    }

    @Test(arguments: [
        "", "61", "00000000000000000000000000000000", "61006200000000000000000000000000",
        "2d610000000000000000000000000000", "41000000000000000000000000000000", "6g000000000000000000000000000000",
        "+1000000000000000000000000000000", "6100000000000000000000000000000", "610000000000000000000000000000000",
        "ff000000000000000000000000000000",
    ])
    func `other digits are no names`(hexadecimal: String) {
        #expect(TemplateName(hexadecimal: hexadecimal) == nil)
    }
}
