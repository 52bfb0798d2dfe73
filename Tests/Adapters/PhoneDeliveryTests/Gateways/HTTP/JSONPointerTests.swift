import CoreEncodings
import Testing

@testable import PhoneDelivery

/// The example of RFC 6901 section 5.
@Suite("Pointers into JSON")
struct JSONPointerTests {
    private static let document = #"""
        {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8,"x~1y":9,
         "big":18446744073709551615,"half":0.5,"yes":true,"none":null}
        """#

    @Test(
        "find what stands there",
        arguments: [
            ("/foo/0", "bar"), ("/foo/1", "baz"), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"), ("/e^f", "3"),
            ("/g|h", "4"),
            ("/i\\j", "5"), ("/k\"l", "6"), ("/ ", "7"), ("/m~0n", "8"), ("/x~01y", "9"),
            ("/big", "18446744073709551615"),
            ("/half", "0.5"),
            ("/yes", "true"), ("/none", nil), ("/foo", nil), ("", nil), ("/foo/2", nil), ("/foo/00", nil),
            ("/foo/-", nil),
            ("/foo/-1", nil), ("/foo/+1", nil), ("/foo/0/a", nil), ("/nothing", nil), ("/m~01n", nil),
        ] as [(String, String?)]
    )
    func values(text: String, value: String?) throws {
        let root = try #require(JSON(parsing: Self.document))
        let pointer = try #require(JSONPointer(text))
        #expect(pointer.description == text)
        #expect(pointer.value(in: root)?.scalarText == value)
    }

    @Test("the empty one is the whole", arguments: ["7", "\"a\"", "[]", "{}", "null"])
    func whole(json: String) throws {
        let root = try #require(JSON(parsing: json))
        #expect(JSONPointer("")?.value(in: root) == root)
    }

    @Test("are none without a slash, or with a bare tilde", arguments: ["a", "a/b", "#/a", "/~", "/a~2", "/~~0"])
    func malformed(text: String) {
        #expect(JSONPointer(text) == nil)
    }
}
