import CoreEncodings
import Testing

@Suite struct PercentEncodingTests {
    @Test(arguments: [
        ("", ""), ("a+b", "a+b"), ("%2b%2B", "++"), ("%ED%95%9C글", "한글"), ("%00%7f", "\u{0}\u{7F}"),
        ("%25%32%35", "%25"),
    ])
    func decodes(_ encoded: String, text: String) {
        #expect(String(percentDecoding: encoded[...]) == text)
    }

    @Test(arguments: ["%", "%4", "%4g", "%%41", "%-1", "%FF", "%C0%80", "%ED%A0%80", "a%"])
    func refusesWhatIsNoText(_ encoded: String) {
        #expect(String(percentDecoding: encoded[...]) == nil)
    }

    @Test(arguments: [("a+b", "a b"), ("%2b", "+"), ("%+1%4g%", "% 1%4g%"), ("%25+%ED%95%9C", "% 한")])
    func decodesFormsLeniently(_ encoded: String, text: String) {
        #expect(String(percentDecoding: encoded[...], hasPlusForSpace: true, isStrict: false) == text)
    }

    @Test func encodesAllButUnreservedCharacters() {
        #expect("aZ09-._~ +&=%/한\u{1}".percentEncoded == "aZ09-._~%20%2B%26%3D%25%2F%ED%95%9C%01")
    }
}
