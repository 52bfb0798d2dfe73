import Glibc
import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("0.0.0.0", "0.0.0.0"), ("203.0.113.7", "203.0.113.7"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::A", "2001:db8::a"), ("0:0:0:0:0:0:0:1", "::1"),
        ("2001:0db8:0000:0000:0000:0000:0000:0001", "2001:db8::1"), ("2001:db8::0:1", "2001:db8::1"),
        ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"), ("2001:db8::1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"), ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
        ("1:0:0:4:5:6:0:0", "1::4:5:6:0:0"), ("64:ff9b::203.0.113.7", "64:ff9b::cb00:7107"),
        ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::ffff:203.0.113.7", "203.0.113.7"), ("::ffff:cb00:7107", "203.0.113.7"),
        ("0:0:0:0:0:FFFF:203.0.113.7", "203.0.113.7"),
        ("::203.0.113.7", "::cb00:7107"), ("::fffe:203.0.113.7", "::fffe:cb00:7107"),
        ("ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    ])
    func textIsReadAndWritten(text: String, canonical: String) {
        #expect(IPAddress(text)?.description == canonical)
    }

    @Test(arguments: [
        "", " ", ".", ":", ":::", "1", "1.2.3", "1.2.3.4.5", "1.2.3.", ".1.2.3", "1..2.3", "256.1.1.1", "1.2.3.999",
        "01.2.3.4",
        "1.2.3.00", "0x1.2.3.4", "1.2.3.+4", "1.2.3.-4", "１.2.3.4", "1.2.3.4 ", " 1.2.3.4", "1.2.3.4\n", "1.2.3.4\0",
        "1.2.3.4:80",
        "1.2.3.4/32", "1,2,3,4", "16909060", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7:8::",
        "::1:2:3:4:5:6:7:8",
        "1::2:3:4:5:6:7:8", "1::2::3", "1:", ":1", "1:::2", "12345::", "g::", "-1::", "+1::", "::1 ", "[::1]",
        "::1%eth0", "fe80::1%25lo",
        "::1/128", "1.2.3.4::", "::1.2.3.4:5", "::1.2.3", "::1.2.3.04", "1:2:3:4:5:6:7:1.2.3.4",
        "1.2.3.4:2:3:4:5:6:7:8", "::ffff:256.0.0.1",
        "localhost", "é::", "\u{301}1.2.3.4", "00000000000000000000000000000000000000000000::",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test func aLongTextIsRefused() {
        for text in ["0", ":", ".", "1.", "::1", "1:"] {
            #expect(IPAddress(String(repeating: text, count: 1 << 20)) == nil)
        }
    }

    @Test func bytesAreFourOrSixteen() {
        #expect(IPAddress(bytes: [203, 0, 113, 7])?.description == "203.0.113.7")
        #expect(
            IPAddress(bytes: [0x20, 1, 0x0D, 0xB8] + Array(repeating: 0, count: 11) + [1])?.description == "2001:db8::1"
        )
        #expect(
            IPAddress(bytes: Array(repeating: 0, count: 10) + [255, 255, 203, 0, 113, 7])?.description == "203.0.113.7"
        )
        for count in 0...40 where count != 4 && count != 16 {
            #expect(IPAddress(bytes: Array(repeating: 0, count: count)) == nil)
        }
    }

    /// Bytes that have runs of zeros and ones more often than chance has it.
    private static func bytes(_ count: Int, _ random: inout SplitMix64) -> [UInt8] {
        (0..<count / 2).flatMap { _ -> [UInt8] in
            switch Int.random(in: 0..<6, using: &random) {
            case 0...2: [0, 0]
            case 3: [255, 255]
            case 4: [0, UInt8.random(in: 0...255, using: &random)]
            default: [UInt8.random(in: 0...255, using: &random), UInt8.random(in: 0...255, using: &random)]
            }
        }
    }

    @Test func whatIsWrittenIsReadBackAndTheSystemAgrees() throws {
        var random = SplitMix64(seed: 1)
        for _ in 0..<20_000 {
            let bytes = Self.bytes(Bool.random(using: &random) ? 4 : 16, &random)
            let address = try #require(IPAddress(bytes: bytes))
            let text = address.description
            #expect(IPAddress(text) == address)
            let isMapped = bytes.count == 16 && bytes.starts(with: Array(repeating: 0, count: 10) + [255, 255])
            #expect(SystemAddress.bytes(text) == (isMapped ? Array(bytes.suffix(4)) : bytes))
            // The system writes the long obsolete IPv4-compatible addresses (RFC 4291 section 2.5.5.1) with dots.
            let isCompatible = bytes.count == 16 && bytes.starts(with: Array(repeating: 0, count: 12))
            if !isCompatible { #expect(SystemAddress.text(isMapped ? Array(bytes.suffix(4)) : bytes) == text) }
        }
    }

    @Test func whatTheSystemReadsIsReadAlike() {
        var random = SplitMix64(seed: 2)
        let pieces = [
            "0", "00", "1", "12", "255", "256", "007", "ffff", "ABCD", "12345", ".", ".", ":", ":", "::", "1.2.3.4",
            "ffff:", "1:", "%", " ",
        ]
        var valid = 0
        for _ in 0..<50_000 {
            var text = Bool.random(using: &random) ? "" : IPAddress(bytes: Self.bytes(16, &random))?.description ?? ""
            text = String(text.prefix(Int.random(in: 0...40, using: &random)))
            for _ in 0..<Int.random(in: 0...9, using: &random) { text += pieces.randomElement(using: &random) ?? "" }
            let expected = SystemAddress.bytes(text).flatMap { IPAddress(bytes: $0) }
            #expect(IPAddress(text) == expected, "\(text)")
            if expected != nil { valid += 1 }
        }
        #expect(valid > 2000)
    }
}
