import Testing

@testable import PhoneDomain

@Suite struct RedirectURITests {
    @Test(arguments: [
        ("https://shop.example/callback?from=phone", "https://shop.example"),
        ("https://shop.example:8443", "https://shop.example:8443"),
        ("http://127.0.0.1/done", "http://127.0.0.1"), ("http://[::1]:5000/", "http://[::1]:5000"),
        ("http://localhost:3000/callback", "http://localhost:3000"),
        ("com.example.app:/signed-in", "com.example.app:"), ("com.example.app://host/path", "com.example.app:"),
    ])
    func `a place where a browser may be sent`(text: String, origin: String) throws {
        let uri = try #require(RedirectURI(text))
        #expect(uri.description == text)
        #expect(uri.origin == origin)
    }

    @Test(arguments: [
        "", "shop.example", "//shop.example/", "https:/shop.example", "https://", "https:///callback", "https://:443/",
        "http://shop.example/", "http://127.0.0.1.evil.example/", "http://localhost.evil.example/",
        "http://127.0.0.1:99999/", "http://127.0.0.1:080/", "http://127.0.0.1:80@evil.example/",
        "https://a@shop.example/", "https://shop.example/#x", "https://shop.example/ x", "https://shop.example/\n",
        "http://127.0.0.1:0/", "https://shop.example/\u{212A}", "https://shop.example/\u{37E}",
        #"https://shop.example\@evil.example/"#, "javascript:alert(1)", "data:text/html,x", "HTTPS://shop.example/",
        "com.example.app:", "https://쇼핑.example/",
    ])
    func `anything else is none`(text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test func `the port may differ for a loopback address and nothing else`() throws {
        let uri = try #require(RedirectURI("http://127.0.0.1:1/done?x=1"))
        for other in ["http://127.0.0.1:51004/done?x=1", "http://127.0.0.1/done?x=1", uri.description] {
            #expect(uri.matchesOnAnyPort(try #require(RedirectURI(other))))
        }
        for other in [
            "http://127.0.0.1:51004/done", "https://127.0.0.12:51004/done?x=1", "http://[::1]:51004/done?x=1",
            "https://127.0.0.1:51004/done?x=1",
        ] {
            #expect(!uri.matchesOnAnyPort(try #require(RedirectURI(other))))
        }
        let host = try #require(RedirectURI("http://localhost:1/"))
        #expect(!host.matchesOnAnyPort(try #require(RedirectURI("http://localhost:2/"))))
    }
}
