import PhoneDomain
import PhoneTestSupport
import Testing

@Suite struct ClientAddressTests {
    @Test(arguments: [
        ("203.0.113.7", "203.0.113.7"), ("::ffff:203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:db8:1:2::", "2001:db8:1:2::/64"),
        ("2001:db8::1", "2001:db8::/64"),
        ("::1", "::/64"), ("::203.0.113.7", "203.0.113.7"),
        ("::ffff:0:203.0.113.7", "203.0.113.7"), ("::1:203.0.113.7", "::/64"), ("fe80::1", "fe80::/64"),
        ("64:ff9b::203.0.113.7", "203.0.113.7"), ("64:ff9b::1:203.0.113.7", "64:ff9b::/64"),
        ("64:ff9b:1::203.0.113.7", "64:ff9b:1::/64"),
        ("2002:cb00:7107::1", "203.0.113.7"), ("2002:cb00:7107:ffff:1:2:3:4", "203.0.113.7"),
        ("2003:cb00:7107::1", "2003:cb00:7107::/64"),
        ("203.0.113.0", "203.0.113.0"), ("2001:db8:1:2::/64", "2001:db8:1:2::/64"), ("::/64", "::/64"),
        ("64:ff9b::/64", "64:ff9b::/64"),
    ])
    func aClientIsAnIPv4AddressOrA64(text: String, key: String) {
        #expect(ClientAddress(text)?.description == key)
    }

    @Test func limitsCountItByWiderNetworksWhichMayHaveMore() {
        func networks(_ text: String) -> [String]? {
            ClientAddress(text)?.networks.map { "\($0) \($0.allowance)" }
        }
        #expect(networks("203.0.113.7") == ["203.0.113.7 1"])
        #expect(
            networks("2001:db8:fff:1234::1") == [
                "2001:db8:fff:1234::/64 1", "2001:db8:fff:1200::/56 2", "2001:db8:fff::/48 4",
            ]
        )
        #expect(networks("::1") == ["::/64 1", "::/56 2", "::/48 4"])
    }

    @Test func aNetworkIsReadBackHoweverItsAddressIsWritten() {
        let addresses = ["203.0.113.7", "2001:db8:fff:1234::1", "::1", "64:ff9b::1:203.0.113.7"]
        for address in addresses.compactMap({ ClientAddress($0) }) {
            #expect(address.networks.map { ClientAddress.Network($0.description) } == address.networks)
        }
        #expect(ClientAddress.Network("2001:DB8:0fff::0/48")?.description == "2001:db8:fff::/48")
        for text in [
            "", "/48", "203.0.113.7/32", "203.0.113.0/24", "2001:db8::", "2001:db8::/32", "2001:db8::/048",
            "2001:db8::1/48", "2001:db8:0:1::/56", "2002:cb00:7107::/48", "2001:db8::/48/", "KR",
        ] {
            #expect(ClientAddress.Network(text) == nil, "\(text)")
        }
    }

    @Test func oneSubscriberIsOneClientAndTwoAreTwo() {
        #expect(ClientAddress("2001:db8:1:2::1") == ClientAddress("2001:db8:1:2:ffff:ffff:ffff:ffff"))
        #expect(ClientAddress("2001:db8:1:2::1") != ClientAddress("2001:db8:1:3::1"))
        #expect(ClientAddress("203.0.113.7") != ClientAddress("203.0.113.8"))
        #expect(ClientAddress("0.0.0.0") != ClientAddress("::"))
        let one = ["::6.6.6.7", "64:ff9b::6.6.6.7", "::ffff:6.6.6.7", "6.6.6.7"].map { ClientAddress($0) }
        #expect(Set(one).count == 1)
    }

    @Test(arguments: [
        "", "/64", "203.0.113.7/64", "203.0.113.7/32", "::ffff:203.0.113.7/64", "2001:db8::1/64", "2001:db8::/48",
        "2001:db8::/064",
        "2001:db8::/64/64", "2001:db8::/64 ", "2002:cb00:7107::/64", "unknown", "_hidden", "203.0.113.7:4711",
        "[2001:db8::1]", "fe80::1%eth0",
        "010.0.0.1",
    ])
    func anythingElseIsRefused(text: String) {
        #expect(ClientAddress(text) == nil)
    }

    @Test func bytesOfAnyNumberAreReadOrRefusedAndTheTextIsReadBack() throws {
        var random = SplitMix64(seed: 3)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...20, using: &random)
            let isSparse = Bool.random(using: &random)
            let bytes = (0..<count).map { _ in
                isSparse && Bool.random(using: &random) ? 0 : UInt8.random(in: 0...255, using: &random)
            }
            let address = ClientAddress(bytes: bytes)
            #expect((address != nil) == (count == 4 || count == 16))
            if let address { #expect(ClientAddress(address.description) == address) }
        }
        let translated = try #require(
            ClientAddress(bytes: [0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0, 203, 0, 113, 7])
        )
        #expect(translated == ClientAddress("203.0.113.7"))
    }

    @Test func anyTextIsReadOrRefused() {
        var random = SplitMix64(seed: 4)
        for _ in 0..<20_000 { _ = ClientAddress(random.text() + (Bool.random(using: &random) ? "/64" : "")) }
    }
}
