import NIOCore
import Testing

@testable import PhoneHTTP

@Suite struct JSONParserTests {
    private static func parse(_ text: String) throws(JSONParser.Failure) -> JSON {
        try JSONParser.parse(ByteBuffer(string: text).readableBytesView)
    }

    @Test func readsEveryKindOfValue() throws {
        let text = """
             {"null": null, "true" :true,"false":\tfalse,\r
            "numbers":[0,-0,12.50,-1e9,1E+2,3e-4, 123456789012345678901234567890],
            "texts":["","가😀","a\\"\\\\\\/\\b\\f\\n\\r\\tb","\\u0000\\uAC00\\ud83d\\ude00x"],"nested":{"array":[[]],"object":{}}}\u{20}
            """
        let expected: JSON = [
            "null": nil,
            "true": true,
            "false": false,
            "numbers": .array(
                ["0", "-0", "12.50", "-1e9", "1E+2", "3e-4", "123456789012345678901234567890"].map { .number($0) }
            ),
            "texts": .array(["", "가😀", "a\"\\/\u{8}\u{C}\n\r\tb", "\u{0}가😀x"]),
            "nested": ["array": .array([.array([])]), "object": .object([])],
        ]
        #expect(try Self.parse(text) == expected)
    }

    @Test func readsWhatItWrites() throws {
        let value: JSON = .array([
            .string(String(String.UnicodeScalarView((0...0x2FFF).compactMap(Unicode.Scalar.init))))
        ])
        #expect(try JSONParser.parse(value.bytes.readableBytesView) == value)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "{]", "[}", ",", ":", "\"", "\"a", "\"\\", "\"\\u", "\"\\u00", "\"\\u00g0\"",
        "\"\\u+123\"", "\"\\x41\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\n\"",
        "\"\u{0}\"",
        "'a'", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "1_0",
        "--1",
        "1 2", "[1,]", "[,1]", "[1 2]", "[1", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}",
        "{\"a\":1 \"b\":2}", "{}{}", "{} //", "/* */{}", "\u{FEFF}{}", "\u{A0}1", "\u{B}1",
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(throws: JSONParser.Failure.self) { try Self.parse(text) }
    }

    @Test(arguments: [
        [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE3, 0x81],
    ])
    func refusesTextThatIsNoUTF8(_ bytes: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        #expect(throws: JSONParser.Failure.self) {
            try JSONParser.parse(ByteBuffer(bytes: quote + bytes + quote).readableBytesView)
        }
    }

    @Test func nestsSixtyFourDeepAndNoDeeper() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(throws: Never.self) { try Self.parse(nested(64)) }
        #expect(throws: JSONParser.Failure.self) { try Self.parse(nested(65)) }
        #expect(throws: JSONParser.Failure.self) { try Self.parse(String(repeating: "{\"a\":", count: 10_000)) }
    }
}
