import CoreEncodings
import Testing

@Suite struct CBORTests {
    private static func parse(_ text: String) -> CBOR? {
        [UInt8](.hexadecimal, text.filter { $0 != " " }.utf8).flatMap { CBOR($0) }
    }

    /// From RFC 8949, appendix A.
    @Test func `values as authenticators write them`() {
        #expect(Self.parse("00") == 0)
        #expect(Self.parse("17") == 23)
        #expect(Self.parse("18 18") == 24)
        #expect(Self.parse("19 03e8") == 1000)
        #expect(Self.parse("1b 000000e8d4a51000") == 1_000_000_000_000)
        #expect(Self.parse("1b ffffffffffffffff") == .unsigned(.max))
        #expect(Self.parse("20") == -1)
        #expect(Self.parse("39 03e7") == -1000)
        #expect(Self.parse("44 01020304") == .bytes([1, 2, 3, 4]))
        #expect(Self.parse("64 49455446") == .text("IETF"))
        #expect(Self.parse("83 01 02 03") == .array([1, 2, 3]))
        #expect(Self.parse("a2 61 61 01 61 62 82 02 03") == .map([.text("a"): 1, .text("b"): .array([2, 3])]))
        #expect(Self.parse("f4") == .flag(false))
        #expect(Self.parse("f5") == .flag(true))
    }

    @Test(arguments: [
        ("nothing", ""), ("a byte too much", "00 00"), ("no length", "18"), ("half a length", "19 01"),
        ("fewer bytes than it says", "44 010203"), ("a length of everything", "5b ffffffffffffffff"),
        ("a list of everything", "9b ffffffffffffffff"), ("a map of everything", "bb 7fffffffffffffff"),
        ("a number in more bytes than it needs", "18 17"), ("that in two bytes", "19 00ff"), ("in four", "1a 0000ffff"),
        ("in eight", "1b 00000000ffffffff"), ("an indefinite length", "5f 41 00 ff"), ("an indefinite list", "9f ff"),
        ("a reserved length", "1c"), ("a text that is none", "62 c328"), ("a name twice", "a2 01 01 01 02"),
        ("more marks on a letter than any language has", "78 3f 61" + String(repeating: " cc81", count: 31)),
        ("a list as a name", "a1 81 01 01"), ("a name without a value", "a1 01"), ("null", "f6"), ("a tag", "c0 00"),
        ("a simple value", "f8 20"), ("a number with a fraction", "f9 3c00"), ("five levels", "81 81 81 81 81 00"),
    ])
    func `what no authenticator writes is refused`(what: String, text: String) {
        #expect(Self.parse(text) == nil)
    }

    @Test func `what nests without an end is refused at once`() {
        for first: UInt8 in [0x81, 0xA1, 0xC1, 0x9F, 0xBF] {
            #expect(CBOR([UInt8](repeating: first, count: 1_000_000)) == nil)
        }
        #expect(CBOR([0x5A, 0x7F, 0xFF, 0xFF, 0xFF]) == nil)
    }

    @Test func `a map of more names than any has is refused before they are hashed`() {
        func map(of count: UInt8) -> CBOR? {
            CBOR([0xB8, count] + (0..<count).flatMap { $0 < 24 ? [$0, 0] : [0x18, $0, 0] })
        }
        #expect(map(of: 32)?[31] == 0)
        #expect(map(of: 33) == nil)
    }
}
