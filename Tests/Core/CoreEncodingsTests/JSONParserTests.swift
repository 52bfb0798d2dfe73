import CoreEncodings
import Testing

@Suite struct JSONParserTests {
    @Test func readsEveryKindOfValue() {
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
        #expect(JSON(parsing: text) == expected)
    }

    private func request(_ text: String) throws -> JSON {
        try Array(text.utf8).withUnsafeBytes { try JSON(parsingRequest: $0) }
    }

    @Test func aRequestHasAsManyValuesAsCanBeReadAtOnce() throws {
        func list(_ count: Int) -> String { "[" + Array(repeating: "1", count: count).joined(separator: ",") + "]" }
        #expect(try request(list(4095)).array?.count == 4095)
        #expect(throws: JSON.RequestError.tooManyValues) { try request(list(4096)) }
        let names = (0..<2048).map { "\"\($0)\":1" }.joined(separator: ",")
        #expect(throws: JSON.RequestError.tooManyValues) { try request("{\(names)}") }
        #expect(throws: JSON.RequestError.malformed) { try request("[1") }
    }

    @Test func textsAreStreamSafe() throws {
        func marks(_ count: Int) -> String { "a" + String(repeating: "\u{301}\u{323}", count: count / 2) + "b" }
        #expect(try request("{\"\(marks(30))\":1}").members.count == 1)
        for text in ["\"\(marks(32))\"", "{\"\(marks(32))\":1}", "\"" + String(repeating: "\\u0301", count: 31) + "\""]
        {
            #expect(throws: JSON.RequestError.tooManyMarks) { try request(text) }
        }
        #expect(JSON(parsing: "\"\(marks(30))\"") != nil)
        #expect(JSON(parsing: "\"\(marks(32))\"") == nil)
    }

    @Test func namesAreOneIfTheirBytesAre() throws {
        let object = try request("{\"e\u{301}\":1,\"\u{E9}\":2,\"\u{212A}\":3,\"K\":4}")
        #expect(["e\u{301}", "\u{E9}", "\u{212A}", "K"].map { object[$0]?.integer } == [1, 2, 3, 4])
    }

    @Test func readsWhatItWrites() {
        // A letter between them, since there are more marks than may stand in a row.
        let scalars = (0...0x2FFF).compactMap(Unicode.Scalar.init)
        let text = scalars.reduce(into: String.UnicodeScalarView()) { $0 += [$1, "a"] }
        let value: JSON = .array([.string(String(text))])
        #expect(JSON(parsing: value.text) == value)
    }

    @Test(arguments: [
        "", " ", "{", "}", "[", "]", "{]", "[}", ",", ":", "\"", "\"a", "\"\\", "\"\\u", "\"\\u00", "\"\\u00g0\"",
        "\"\\u+123\"", "\"\\x41\"", "\"\\ud800\"", "\"\\ud800\\u0041\"", "\"\\udc00\"", "\"\\ud800x\"", "\"\n\"",
        "\"\u{0}\"",
        "'a'", "nul", "nulll", "True", "NaN", "Infinity", "-", "+1", "01", "-01", "1.", ".5", "1e", "1e+", "0x1", "1_0",
        "--1",
        "1 2", "[1,]", "[,1]", "[1 2]", "[1", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,}", "{a:1}", "{1:1}", "{\"a\" 1}",
        "{\"a\":1 \"b\":2}", "{}{}", "{} //", "/* */{}", "{}\u{FEFF}", "\u{FEFF}\u{FEFF}{}", " \u{FEFF}{}", "\u{FEFF}",
        "\u{A0}1", "\u{B}1",
    ])
    func refusesWhatIsNoJSON(_ text: String) {
        #expect(JSON(parsing: text) == nil)
    }

    @Test func ignoresAByteOrderMarkAtTheBeginning() {
        #expect(JSON(parsing: "\u{FEFF} {}") == [:])
    }

    @Test(arguments: [
        [0xFF], [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE3, 0x81],
    ])
    func refusesTextThatIsNoUTF8(_ bytes: [UInt8]) {
        let quote = [UInt8(ascii: "\"")]
        let isJSON = (quote + bytes + quote).withUnsafeBytes { JSON(parsing: $0) != nil }
        #expect(!isJSON)
    }

    @Test(arguments: [
        (#""\ud83d""#, "\u{FFFD}"), (#""\udc00""#, "\u{FFFD}"), (#""\ud83dx""#, "\u{FFFD}x"),
        (#""\ud83d\n""#, "\u{FFFD}\n"),
        (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
        (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
    ])
    func readsHalfACharacterOfAnotherProgram(_ json: String, text: String) {
        #expect(JSON(received: Array(json.utf8)) == .string(text))
        #expect(JSON(parsing: json) == nil)
    }

    @Test func readsACutCharacterOfAnotherProgramAndNothingElseThatIsNoJSON() {
        #expect(JSON(received: [0x22, 0xF0, 0x9F, 0x22]) == "\u{FFFD}")
        for text in [#""\ud83d\u""#, #""\ud83d"#, #"{"a":1,}"#, "[1", ""] {
            #expect(JSON(received: Array(text.utf8)) == nil)
        }
    }

    @Test func nestsSixtyFourDeepAndNoDeeper() {
        func nested(_ depth: Int) -> String {
            String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth)
        }
        #expect(JSON(parsing: nested(64)) != nil)
        #expect(JSON(parsing: nested(65)) == nil)
        #expect(JSON(parsing: String(repeating: "{\"a\":", count: 10_000)) == nil)
    }

    @Test(arguments: [
        (#"{"a":1,"b":{"a":2}}"#, true), (#"{"a":1,"a":1}"#, false), (#"{"b":{"a":1,"a":2}}"#, false),
        (#"{"\u0061":1}"#, false), (#"{"a":"\u0061"}"#, true),
    ])
    func canDemandThatEachNameIsThereOnceAndWrittenInOneWay(_ text: String, isValid: Bool) {
        #expect(JSON(parsing: text) != nil)
        let isAccepted = Array(text.utf8).withUnsafeBytes { JSON(parsing: $0, hasUniqueNames: true) != nil }
        #expect(isAccepted == isValid)
    }
}
