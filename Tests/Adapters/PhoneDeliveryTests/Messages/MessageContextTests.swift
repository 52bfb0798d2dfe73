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

@Suite("Values in templates")
struct SubstitutionValueTests {
    @Test(
        "words, numbers and amounts are taken as they are",
        arguments: [
            "1", "A-1024", "12.50", "₩12,000", "Mr. Kim", "주문 1024", "12:30", "1/2", "{{code}}", "a=b", "1234567",
            "abcdefghijklmnopqrst", "می\u{200C}خواهم",
        ]
    )
    func taken(value: String) {
        #expect(SubstitutionValue(value)?.description == value)
    }

    @Test(
        "what ends a line, hides, leads elsewhere or is long is not",
        arguments: [
            "", " ", " a", "a ", "123456789012345678901", "a\nb", "a\r", "a\u{2028}b", "\u{7}", "a\u{202E}b",
            "a\u{200B}",
            "@example.com", "a@b", "#1", "evil.example", "a.b", "1.2.3", "1.2.3.", "1.a", "a.1", "..", "http://x",
            "a://",
            "evil。example", "evil．example", "evil｡example", "evil․example", "evil﹒example", "\u{3164}", "a\u{115F}",
        ]
    )
    func refused(value: String) {
        #expect(SubstitutionValue(value) == nil)
    }

    @Test(
        "without anything that a phone makes a link of",
        arguments: [
            "evil.", "com/x", "https:/", "/evil", "mailto:a", "tel:1588", "02-1234-5678", "15881588", "１５８８１５８８",
            ".com", ":80",
        ]
    )
    func linkless(value: String) {
        #expect(SubstitutionValue(value) == nil)
    }
}

@Suite("Where a change of number is undone")
struct UndoAddressTests {
    @Test(
        "an address that a secret can follow",
        arguments: [
            "https://app.example/undo/", "https://app.example/", "http://127.0.0.1:8080/undo/",
            "https://[::1]:8443/undo/",
            "https://app.example/account?undo=", "https://app.example/#", "https://app.example/a?b=c#undo=",
            "https://a/" + String(repeating: "b", count: 289) + "/",
        ]
    )
    func good(text: String) throws {
        #expect(UndoAddress(text)?.description == text)
    }

    @Test(
        "what can be read on its way",
        arguments: [
            ("https://app.example/", false), ("http://app.example/", true), ("http://127.0.0.1/", false),
            ("http://localhost:8080/undo/", false), ("http://[::1]:8080/#", false), ("http://localhost.example/", true),
            ("http://127.0.0.10/", false), ("http://127.0.0.1.example/", true),
        ]
    )
    func isPlain(text: String, isPlain: Bool) {
        #expect(UndoAddress(text)?.isPlain == isPlain)
    }

    @Test(
        "any other",
        arguments: [
            "", "/", "https://", "https:///", "https:///undo/", "https://app.example", "https://app.example/undo",
            "app.example/undo/", "ftp://app.example/", "HTTPS://app.example/", "https://me@app.example/",
            "https://me:secret@app.example/", "https://:8080/", "https://app.example/#a#", "https://app.example/un do/",
            "https://app.example/\nundo/", "https://앱.example/undo/", "https://app.example/\"/",
            "https://app.example/<b>/",
            "https://a/" + String(repeating: "b", count: 290) + "/",
        ]
    )
    func bad(text: String) {
        #expect(UndoAddress(text) == nil)
    }
}
