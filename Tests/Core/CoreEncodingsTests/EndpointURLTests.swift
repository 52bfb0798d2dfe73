import CoreEncodings
import Testing

@Suite struct EndpointURLTests {
    @Test(arguments: [
        ("https://app.example.com/hooks?key=1", "https://app.example.com", false, false),
        ("http://127.0.0.1:8090/", "http://127.0.0.1:8090", true, true),
        ("HTTP://localhost:1", "http://localhost:1", true, true),
        ("http://[::1]:8090/x", "http://[::1]:8090", true, true),
        ("http://127.0.0.1.example.com", "http://127.0.0.1.example.com", true, false),
    ])
    func `parses a URL, and has its origin`(_ text: String, origin: String, isPlain: Bool, isLoopback: Bool)
        throws
    {
        let endpoint = try #require(EndpointURL(text))
        #expect(endpoint.origin == origin)
        #expect(endpoint.isPlain == isPlain)
        #expect(endpoint.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "", "example.com", "ftp://example.com", "https://", "https://user@example.com", "https://example.com/#part",
        "https://example.com/a b", "https://exämple.com", "/hooks",
    ])
    func `refuses anything else`(_ text: String) {
        #expect(EndpointURL(text) == nil)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
        ("https://phone.example/", "https://phone.example"),
        ("http://[::1]:8080/api//", "http://[::1]:8080/api"),
    ])
    func `a base has no slash at its end`(_ text: String, description: String) {
        #expect(EndpointURL(base: text)?.description == description)
    }

    @Test(arguments: [
        "", "localhost:8080", "http://", "http:///path", "http://phone.example/?a=b", "file:///etc/passwd",
    ])
    func `a base is no other URL, and has no query`(_ text: String) {
        #expect(EndpointURL(base: text) == nil)
    }
}
