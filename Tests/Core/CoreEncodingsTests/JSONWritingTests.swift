import CoreEncodings
import Testing

@Suite struct JSONWritingTests {
    @Test func writesEveryKindOfValue() {
        let value: JSON = [
            "null": nil,
            "true": true,
            "false": false,
            "integers": .array([0, -1, .integer(Int64.max), .integer(Int?.none)]),
            "text": "",
            "none": .string(nil),
            "nested": ["empty": .array([]), "object": .object([])],
        ]
        let expected = """
            {"null":null,\
            "true":true,\
            "false":false,\
            "integers":[0,-1,9223372036854775807,null],\
            "text":"",\
            "none":null,\
            "nested":{"empty":[],"object":{}}}
            """
        #expect(value.text == expected)
    }

    @Test func `indented text has a line for each member and element`() {
        let value: JSON = ["none": [], "some": [1, ["a\"": nil]], "object": .object([])]
        #expect(
            value.indentedText == """
                {
                  "none": [],
                  "some": [
                    1,
                    {
                      "a\\"": null
                    }
                  ],
                  "object": {}
                }
                """
        )
    }

    @Test func escapesWhatMustBeEscapedAndNothingElse() {
        let value: JSON = .string("\"\\/\n\r\t\u{0}\u{8}\u{1F}\u{7F}<é가😀\u{2028}")
        let expected = #""\"\\/\n\u000d\u0009\u0000\u0008\u001f"# + "\u{7F}<é가😀\u{2028}\""
        #expect(value.text == expected)
        for (text, written) in [("\u{1F}", #""\u001f""#), ("\"", #""\"""#), ("\\", #""\\""#), (" ", #"" ""#)] {
            let value: JSON = .string(text)
            #expect(value.text == written)
        }
    }

    @Test func `a long value is written whole`() {
        let texts = (0..<500).map { String(repeating: "é\"", count: $0) }
        let value: JSON = .array(texts.map { .string($0) })
        let written = texts.map { "\"" + $0.replacing("\"", with: #"\""#) + "\"" }
        #expect(value.text == "[\(written.joined(separator: ","))]")
        #expect(value.utf8 == Array(value.text.utf8))
    }
}
