import CoreEncodings
import Testing

@Suite struct TextEncodingTests {
    /// RFC 4648 section 10, without padding.
    @Test(arguments: [
        ("", "", ""), ("f", "66", "Zg"), ("fo", "666f", "Zm8"), ("foo", "666f6f", "Zm9v"),
        ("foob", "666f6f62", "Zm9vYg"),
        ("fooba", "666f6f6261", "Zm9vYmE"), ("foobar", "666f6f626172", "Zm9vYmFy"),
    ])
    func `is base16 and base64 of RFC 4648`(text: String, hexadecimal: String, base64: String) {
        let bytes = Array(text.utf8)
        #expect(TextEncoding.hexadecimal.encode(bytes) == hexadecimal)
        #expect(TextEncoding.base64.encode(bytes) == base64)
        #expect(bytes.base64URL == base64)
        #expect(bytes.base64 == base64 + String(repeating: "=", count: (4 - base64.count % 4) % 4))
        #expect([UInt8](.hexadecimal, hexadecimal.utf8) == bytes)
        #expect([UInt8](.hexadecimal, hexadecimal.uppercased().utf8) == bytes)
        #expect([UInt8](.base64, base64.utf8) == bytes)
        #expect([UInt8](.base64URL, base64.utf8) == bytes)
    }

    @Test func `two characters distinguish base64url from base64`() {
        let bytes: [UInt8] = [0xFB, 0xEF, 0xFF]
        #expect(TextEncoding.base64.encode(bytes) == "++//")
        #expect(bytes.base64URL == "--__")
        #expect([UInt8](.base64URL, "++//".utf8) == nil)
        #expect([UInt8](.base64, "--__".utf8) == nil)
    }

    @Test(arguments: [
        "A", "AAAAA", "Zh", "Zm9", "Zg=", "Zg==", "Zm8=", " Zg", "Zg ", "Z g", "Zg\n", "Zg\0", "Z%67", "Z.", "é",
        "Zm9vYh",
    ])
    func `each value is written in one way`(text: String) {
        #expect([UInt8](.base64, text.utf8) == nil)
        #expect([UInt8](.base64URL, text.utf8) == nil)
    }

    @Test(arguments: ["6", "666", "6g", "0x66", " 66", "66\n"])
    func `hexadecimal digits come in pairs`(text: String) {
        #expect([UInt8](.hexadecimal, text.utf8) == nil)
    }

    @Test func `all bytes are read back`() {
        let bytes = [UInt8](0...255)
        for encoding in [TextEncoding.hexadecimal, .base64, .base64URL] {
            #expect([UInt8](encoding, encoding.encode(bytes).utf8) == bytes)
        }
    }
}

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
