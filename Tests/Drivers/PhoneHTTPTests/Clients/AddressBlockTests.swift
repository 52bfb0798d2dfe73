import PhoneDomain
import PhoneHTTP
import Testing

@Suite struct AddressBlockTests {
    @Test(arguments: [
        (
            "10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"],
            ["9.255.255.255", "11.0.0.0", "::a00:0", "64:ff9b::10.0.0.1"]
        ),
        ("127.0.0.1", ["127.0.0.1"], ["127.0.0.0", "127.0.0.2", "::1"]), ("127.0.0.1/32", ["127.0.0.1"], ["127.0.0.2"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
        ("0.0.0.0/0", ["0.0.0.0", "255.255.255.255"], ["::", "::1"]),
        ("::/0", ["::1", "ffff::"], ["0.0.0.0", "::ffff:0:0"]),
        ("::1", ["::1"], ["::", "::2", "0.0.0.1"]), ("fd00::/8", ["fd00::", "fdff:ffff::1"], ["fc00::", "fe00::"]),
        ("2001:db8:8000::/33", ["2001:db8:8000::1", "2001:db8:ffff::"], ["2001:db8:7fff::"]),
        ("2001:db8::1/128", ["2001:db8::1"], ["2001:db8::2"]), ("::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.0.0.0"]),
    ])
    func aBlockHasTheAddressesThatBeginAlike(text: String, inside: [String], outside: [String]) throws {
        let block = try #require(AddressBlock(text))
        for address in inside { try #expect(block.contains(#require(IPAddress(address))), "\(address)") }
        for address in outside { try #expect(!block.contains(#require(IPAddress(address))), "\(address)") }
        #expect(AddressBlock(block.description) == block)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.0.0.0/8"), ("127.0.0.1/32", "127.0.0.1"), ("FD00::/8", "fd00::/8"), ("::1/128", "::1"),
        ("::/0", "::/0"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"), ("::ffff:0:0/96", "0.0.0.0/0"),
    ])
    func aBlockIsWrittenShort(text: String, short: String) {
        #expect(AddressBlock(text)?.description == short)
    }

    @Test func everythingIsOneWithoutAPrefix() {
        #expect(AddressBlock("0.0.0.0/0")?.isEverything == true)
        #expect(AddressBlock("::/0")?.isEverything == true)
        #expect(AddressBlock("0.0.0.0/1")?.isEverything == false)
    }

    @Test(arguments: [
        "", "/", "/8", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/08", "10.0.0.0/8/8",
        "10.0.0.0/8 ", "10.0.0.0 /8",
        "10.0.0.1/8", "10.0.0.0/255.0.0.0", "10/8", "010.0.0.0/8", "::/129", "fd00::1/8", "[::1]", "::ffff:10.0.0.0/8",
        "::ffff:10.0.0.0/95",
        "::ffff:10.0.0.0/129", "fe80::%eth0/64", "localhost", "none", "*", "10.0.0.0/99999999999999999999",
        "10.0.0.0/８",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(AddressBlock(text) == nil)
    }
}
