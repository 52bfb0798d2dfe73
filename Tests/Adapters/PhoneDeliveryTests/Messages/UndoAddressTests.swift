import Testing

@testable import PhoneDelivery

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
