import PhoneAccounts
import Testing

@Suite struct DisplayNameTests {
    @Test(arguments: [
        "Shop", "가게", "Café", "e\u{301}t", "Ο Μανάβης", "R&D (Nr. 1)", "O'Brien's", "Yahoo!", "Anna, Bo", "A- 1234",
        "Inc.",
        "123456789012345678901234567890".map { _ in "a" }.joined(),
    ])
    func `what a sender may be called`(text: String) {
        #expect(DisplayName(text)?.description == text)
    }

    @Test(arguments: [
        "", " ", " Shop", "Shop ", "12", "1234", "...", "Shop 12345", "Shop ١٢٣٤٥", "shop.example", "a.b", "http://a",
        "a/b",
        "a:b", "a@b", "a_b", "a\nb", "a\tb", "a\u{0}b", "a\u{202E}b", "a\u{200B}b", "a\u{2028}b", "🙂", "a🙂", "a\"b",
        "{{code}}",
        "a%b", "a+b", "a#b", "Shop ½", "Ⅻ", "a\u{A0}b",
        "1234567890123456789012345678901".map { _ in "a" }.joined(),
    ])
    func `what nobody may say in another's message`(text: String) {
        #expect(DisplayName(text) == nil)
    }

    @Test func `of ASCII it has letters, digits and some punctuation`() {
        let valid = (0..<128).map { Character(Unicode.Scalar($0)) }.filter { DisplayName("a\($0)b") != nil }
        let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
        #expect(String(valid) == " !&'(),-0123456789" + letters)
        #expect(DisplayName("1234") == nil)
        #expect(DisplayName("a1234") != nil)
        #expect(DisplayName("a12345") == nil)
    }
}
