import PhoneDomain
import Testing

@Suite struct LabelsTests {
    @Test(arguments: [
        "order 4711", "a", "무료 🙂", "e\u{301}", "=1+1", "❤\u{FE0F}", "order 821012345678", "010-1234-5678", "C++ 17",
        "+1", "a+b 4711", String(repeating: "é", count: 64),
    ])
    func `a reference is one line, as it was written`(text: String) {
        #expect(Labels.Reference(text)?.description.utf8.elementsEqual(text.utf8) == true)
    }

    @Test(arguments: [
        "", " ", "a\nb", "a\r", "\u{0}", "a\u{7f}", "a\u{2028}b", "a\u{200f}",
        "a\u{200b}b", "\u{202e}a", "a\u{2066}", "\u{3164}", "a\u{115f}", "a\u{034f}b", "+821012345678",
        "for +82 10-1234-5678, order 7", "＋８２ １０ １２３４ ５６７８", "a+82 (10) 1234.5678/2", "+8210123456789",
        "\u{fe0f}", "+82\u{fe0f}1012345678", "++++821012345678", "1+2+821012345678",
        String(repeating: "a", count: 65),
        String(repeating: "🙂", count: 64) + "a",
    ])
    func `nothing else is one`(text: String) {
        #expect(Labels.Reference(text) == nil)
        #expect(Labels.Tag("a", text) == nil)
        #expect(Labels.Tags("a:" + text) == nil)
    }

    @Test func `tags are in the order of their keys, each once, and as they were`() throws {
        let tags = try #require(Labels.Tags(["b:1", "a:x:y", "b:\u{301}2"].compactMap { Labels.Tag($0) }))
        #expect(tags.all.map(\.description) == ["a:x:y", "b:\u{301}2"])
        #expect(tags.all.map(\.key) == ["a", "b"])
        #expect(tags.description == "a:x:y\nb:\u{301}2")
        #expect(Labels.Tags(tags.description) == tags)
    }

    @Test(arguments: ["", "a", ":a", "a:", "é:a", "a b:c", String(repeating: "a", count: 33) + ":b"])
    func `what is no key and value is no tag`(text: String) {
        #expect(Labels.Tag(text) == nil)
        #expect(Labels.Tags(text) == nil)
    }

    @Test func `there are at most eight`() {
        let tags = (1...9).compactMap { Labels.Tag("key\($0)", "value") }
        #expect(Labels.Tags(Array(tags.prefix(8)))?.all.count == 8)
        #expect(Labels.Tags(tags) == nil)
        #expect(Labels.Tags([]) == nil)
    }

    @Test func `what is stored stays readable, whatever has become a number since`() {
        #expect(Labels.Reference("+821012345678") == nil)
        #expect(Labels.Reference(stored: "+821012345678").description == "+821012345678")
        #expect(Labels.Tags(stored: "a:+821012345678")?.all.map(\.value) == ["+821012345678"])
        #expect(Labels.Tags(stored: "a") == nil)
    }
}
