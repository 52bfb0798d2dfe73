import Testing

@testable import PhoneDomain

@Suite struct MessageWordingTests {
    private static func text(_ text: String) -> MessageWording {
        var wording = MessageWording(service: "Shop")
        wording.text = MessageText(text)
        return wording
    }

    @Test func `the text form has a line for each part, and none for what is not said`() {
        #expect(MessageWording().rawText == "")
        let full = MessageWording(
            service: "Shop",
            template: .standard,
            appHash: "FA+9qCX9VSu",
            warnsAgainstSharing: true,
            substitutions: ["b": "2", "a": "1"]
        )
        #expect(full.rawText == "s Shop\nt default\na FA+9qCX9VSu\nw\nv a=1\nv b=2")
    }

    @Test(arguments: [
        MessageWording(), text("{{code}}"), text("w\n\ns {{code}}\nx \n"), text("\n{{code}}\u{301}"),
        MessageWording(service: "s t"),
        MessageWording(service: "", appHash: ""),
        MessageWording(service: "w", warnsAgainstSharing: true),
        MessageWording(substitutions: ["a": "", "b": "=", "c": "a=b=c", "d": " v x=y ", "": "no name"]),
        // A mark that joins the letter before it, or the line break or the blank.
        MessageWording(service: "\u{301}e\u{301}", substitutions: ["n": "\u{301}", "m": "가\u{301}"]),
        MessageWording(
            service: "\u{200D}🙂",
            appHash: "\u{FE0F}",
            substitutions: ["\u{301}": "x", "k": "\u{301}=\u{301}"]
        ),
    ])
    func `whatever is in it is read back as it was`(wording: MessageWording) {
        let read = MessageWording(rawText: wording.rawText)
        #expect(read == wording)
        #expect(read?.rawText.utf8.elementsEqual(wording.rawText.utf8) == true)
    }

    @Test(arguments: ["\n", "\r\n", "\r", "\u{2028}", "\u{2029}", "\u{B}", "\u{85}"])
    func `a line break cannot pass for another part`(lineBreak: String) throws {
        let wording = MessageWording(
            service: "Shop\(lineBreak)w",
            appHash: "x\(lineBreak)t evil",
            substitutions: ["a": "1\(lineBreak)w", "b\(lineBreak)w": "2"]
        )
        let read = MessageWording(rawText: wording.rawText)
        #expect(read?.warnsAgainstSharing != true)
        #expect(read?.template == nil)
    }

    @Test(arguments: [
        ("{{code}}", "12"), ("Code: {{code}}.\n{{code}}", "Code: 12.\n12"), ("{{{code}}}", "{12}"),
        ("{{{{code}}", "{{12"),
        ("가{{code}}\u{301}", "가12\u{301}"), ("{{code}}{{code}}{", "1212{"),
        ("❤\u{FE0F}{{code}} می\u{200C}خواهم", "❤\u{FE0F}12 می\u{200C}خواهم"),
        ("\u{2028}{{code}}", nil), ("{{code}}\u{202E}x", nil), ("{{code}}\u{200B}", nil), ("\u{2066}{{code}}", nil),
        ("{{code}}\u{3164}", nil), ("\u{FEFF}{{code}}", nil),
        ("", nil), ("{{Code}}", nil), ("{{code}", nil), ("{{ code }}", nil), ("{{code}}\r\n", nil),
        ("{{code}}\t", nil), ("\0{{code}}", nil), ("{{code}}\u{7F}", nil), ("{{code}}\u{80}", nil),
        ("{{code}}\u{9F}", nil),
    ])
    func `a text of a client's own has a place for the code, and no control characters`(text: String, sent: String?) {
        #expect(MessageText(text)?.with(code: "12") == sent)
    }

    @Test(arguments: [
        "x", "x ", "x no code", "s", "sShop", "t Evil", "t ", "v a", "w x", "S Shop", "s Shop\nx", " s Shop",
    ])
    func `nothing else is a wording`(rawText: String) {
        #expect(MessageWording(rawText: rawText) == nil)
    }
}

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
