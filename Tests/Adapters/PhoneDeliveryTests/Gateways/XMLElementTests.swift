import Testing

@testable import PhoneDelivery

@Suite("Reading XML")
struct XMLElementTests {
    @Test("elements, attributes and text are read, with references resolved")
    func document() throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <a:r xmlns:a='u"v' b = "1 &lt; 2">
              <c>x &amp;&#x41;&#66;&quot;&apos;&gt;</c><d/><c e=""  ></c >가</a:r>

            """
        let root = try #require(XMLElement(document: Array(text.utf8)))
        #expect(root.name == "a:r")
        #expect(root.attributes == ["xmlns:a": "u\"v", "b": "1 < 2"])
        #expect(root.children.map(\.name) == ["c", "d", "c"])
        #expect(root.child("c")?.text == "x &AB\"'>")
        #expect(root.children[2].attributes == ["e": ""])
        #expect(root.text == "\n  가")
    }

    @Test(
        "what is not well-formed is not read, nor what only attackers write",
        arguments: [
            "", " ", "a", "<a>", "</a>", "<a></b>", "<a/><b/>", "<a/>b", "b<a/>", "<a><b></a></b>", "<a b></a>",
            "<a b=c/>",
            "<a b='c' b='d'/>", "<a b='<'/>", "<a b='c'd='e'/>", "<a>&</a>", "<a>&b;</a>", "<a>&#0;</a>",
            "<a>&#xD800;</a>",
            "<a>&#x;</a>", "<a>&#99999999999;</a>", "<a>\u{1}</a>", "<1/>", "< a/>", "<a", "<a b='", "<a>&am",
            "<?xml <a/>",
            "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY b 'c'>]><a>&b;</a>", "<a><!-- b --></a>", "<a><![CDATA[b]]></a>",
            "<a><?b c?></a>", String(repeating: "<a>", count: 33) + String(repeating: "</a>", count: 33),
        ]
    )
    func malformed(text: String) {
        #expect(XMLElement(document: Array(text.utf8)) == nil)
    }

    @Test("nor what is no UTF-8, nor what is endless")
    func bytes() {
        #expect(XMLElement(document: Array("<a>".utf8) + [0xFF] + Array("</a>".utf8)) == nil)
        #expect(XMLElement(document: Array(String(repeating: "<a>", count: 20_000).utf8)) == nil)
        let deepest = String(repeating: "<a>", count: 32) + String(repeating: "</a>", count: 32)
        #expect(XMLElement(document: Array(deepest.utf8)) != nil)
    }
}
