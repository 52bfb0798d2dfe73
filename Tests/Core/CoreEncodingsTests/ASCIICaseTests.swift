import CoreEncodings
import Testing

@Suite struct ASCIICaseTests {
    @Test(arguments: [
        ("", ""), ("Chunked", "chunked"), ("AZaz@[`{09", "azaz@[`{09"), ("chun\u{212A}ed", "chun\u{212A}ed"),
        ("É한", "É한"),
    ])
    func onlyLettersOfASCIIChangeTheirCase(_ text: String, lower: String) {
        #expect(Array(text.asciiLowercased.utf8) == Array(lower.utf8))
        #expect(text.dropFirst().asciiLowercased == String(lower.dropFirst()))
    }
}
