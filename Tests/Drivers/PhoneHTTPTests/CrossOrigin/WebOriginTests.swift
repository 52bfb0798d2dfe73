import Testing

@testable import PhoneHTTP

@Suite struct WebOriginTests {
    @Test(arguments: [
        "https://example.com", "http://localhost:3000", "https://a.b-c.example:8443", "http://127.0.0.1:1",
        "https://[::1]:65535", "https://[2001:db8::1]", "capacitor://localhost", "https://xn--9n2bp8q.example",
    ])
    func isAsBrowsersWriteIt(_ text: String) {
        #expect(WebOrigin(text)?.description == text)
    }

    @Test(arguments: [
        "", "*", "null", "example.com", "//example.com", "https:example.com", "https://", "https://*.example.com",
        "https://example.com/", "https://example.com/a", "https://example.com?a", "https://example.com#a",
        "https://a@example.com", "https://Example.com", "HTTPS://example.com", "https://example.com:443",
        "http://example.com:80", "https://example.com:", "https://example.com:0", "https://example.com:+1",
        "https://example.com:0443", "https://example.com:65536", "https://a:1:2", "https://[::1", "https://[::1]a",
        "https://[::1]a:1", "https://[a]", "https://예.example", " https://example.com", "https://example.com ",
        "1s://a", "https://exa mple.com", "https://a,https://b",
    ])
    func isNothingElse(_ text: String) {
        #expect(WebOrigin(text) == nil)
    }

    @Test(arguments: [
        ("http://example.com", true), ("http://localhost.example:80443", false), ("http://localhostile.example", true),
        ("http://localhost", false), ("http://localhost:3000", false), ("http://127.0.0.1:1", false),
        ("http://[::1]:1", false), ("https://example.com", false), ("capacitor://localhost", false),
    ])
    func isPlainIfItsPagesCanBeChangedOnTheWay(_ text: String, _ isPlain: Bool) {
        guard let origin = WebOrigin(text) else { return }
        #expect(origin.isPlain == isPlain)
    }
}
