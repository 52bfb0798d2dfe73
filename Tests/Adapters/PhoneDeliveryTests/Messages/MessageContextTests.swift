import Testing

@testable import PhoneDelivery

@Suite("The context of messages")
struct MessageContextTests {
    @Test(
        "a name of a service is kept as it is",
        arguments: ["A", "Acme", "한빛은행", "Meet@Work", "{{code}}", "می\u{200C}خواهم", String(repeating: "가", count: 30)]
    )
    func serviceNames(name: String) {
        #expect(ServiceName(name)?.description == name)
    }

    @Test(
        "a name that could break out of its line, hide or turn text is none",
        arguments: [
            "", " Acme", "Acme ", "\u{A0}Acme", "@evil.example #123456", "Acme\n@evil.example #1", "Acme\r", "Ac\tme",
            "Acme\u{0}", "Acme\u{85}x", "Acme\u{2028}@evil.example", "Acme\u{2029}x", "\u{FEFF}Acme", "Ac\u{202E}me",
            "Ac\u{200B}me", "Ac\u{AD}me", String(repeating: "가", count: 31),
            "e" + String(repeating: "\u{301}", count: 31),
        ]
    )
    func refusedServiceNames(name: String) {
        #expect(ServiceName(name) == nil)
    }

    @Test(
        "a bare host name is kept as it is",
        arguments: [
            "example.com", "a.b", "login.example.co.kr", "xn--hy1b11b.xn--3e0b707e", "3.example", "a-b.c1",
            String(repeating: "a", count: 63) + ".example",
        ]
    )
    func hosts(host: String) {
        #expect(WebHost(host)?.description == host)
    }

    @Test(
        "anything but a bare host name is none",
        arguments: [
            "", "localhost", "Example.com", "https://example.com", "example.com:443", "example.com/", "example.com.",
            ".example.com", "example..com", "-a.example", "a-.example", "a_b.example", "user@example.com", "192.0.2.1",
            "[2001:db8::1]", "example.com #1", "example.com\n@evil.example", "한글.kr", "exämple.com", "example.com\0",
            String(repeating: "a", count: 64) + ".example",
            String(repeating: "a.", count: 124) + "abcdef",
        ]
    )
    func refusedHosts(host: String) {
        #expect(WebHost(host) == nil)
    }

    @Test(
        "an Android app hash is eleven characters of Base64",
        arguments: ["FA+9qCX9VSu", "abcdefghij/", "00000000000"]
    )
    func androidAppHashes(hash: String) {
        #expect(AndroidAppHash(hash)?.description == hash)
    }

    @Test(
        "anything else is no Android app hash",
        arguments: [
            "", "FA+9qCX9VS", "FA+9qCX9VSuu", "FA+9qCX9VS=", "FA-9qCX9VSu", "FA+9qCX9 Su", "FA+9qCX9V\nu", "FA+9qCX9Vé",
        ]
    )
    func refusedAndroidAppHashes(hash: String) {
        #expect(AndroidAppHash(hash) == nil)
    }
}
