import PhoneCLI
import Testing

@Suite struct ServerAddressTests {
    @Test(
        "a scheme, a host, and what follows",
        arguments: [
            ("http://127.0.0.1:8080", "http://127.0.0.1:8080"),
            ("https://phone.example/", "https://phone.example"),
            ("http://[::1]:8080/api//", "http://[::1]:8080/api"),
        ]
    )
    func valid(_ text: String, _ description: String) {
        #expect(ServerAddress(text)?.description == description)
    }

    @Test(
        "anything else is none",
        arguments: [
            "", "localhost:8080", "ftp://phone.example", "http://", "http:///path", "http://a@phone.example",
            "http://phone.example/?a=b", "http://phone.example/#a", "file:///etc/passwd", "http://phone example",
        ]
    )
    func invalid(_ text: String) {
        #expect(ServerAddress(text) == nil)
    }
}
