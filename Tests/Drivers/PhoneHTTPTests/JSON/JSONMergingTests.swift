import CoreEncodings
import NIOCore
import Testing

@testable import PhoneHTTP

@Suite struct JSONMergingTests {
    private func merge(_ original: String, _ patch: String) throws -> String {
        let (original, patch) = try (parse(original), parse(patch))
        return String(buffer: original.merged(with: patch).bytes)
    }

    private func parse(_ text: String) throws -> JSON {
        try #require(JSON(parsing: text))
    }

    /// RFC 7396, appendix A.
    @Test(arguments: [
        (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
        (#"{"a":"b"}"#, #"{"a":null}"#, #"{}"#),
        (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
        (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#),
        (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
        (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
        (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#),
        (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
        (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#),
        (#"{"a":"foo"}"#, #"null"#, #"null"#),
        (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
        (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#),
        (#"[1,2]"#, #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
        (#"{}"#, #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
    func mergesAsTheStandardHasIt(_ original: String, _ patch: String, _ merged: String) throws {
        #expect(try merge(original, patch) == merged)
    }

    @Test(arguments: [
        // The last of one name counts, at the place of the first.
        (#"{}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":3,"b":2}"#),
        (#"{"a":1}"#, #"{"a":2,"a":null}"#, #"{}"#),
        (#"{"a":1}"#, #"{"a":null,"a":2}"#, #"{"a":2}"#),
        (#"{"a":1,"a":2}"#, #"{"b":3}"#, #"{"a":2,"b":3}"#),
        (#"{}"#, #"{"a":[{"x":1,"x":2},null]}"#, #"{"a":[{"x":2},null]}"#),
        (#"{}"#, #"{"a":{"x":1,"x":2}}"#, #"{"a":{"x":2}}"#),
        // Names are equal if their code points are: é is not e with a combining accent.
        ("{\"\u{E9}\":1}", "{\"e\u{301}\":2}", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
        // Names that JavaScript trips over are like any other.
        (#"{}"#, #"{"__proto__":{"admin":true}}"#, #"{"__proto__":{"admin":true}}"#),
        (#"{}"#, #"{"":0}"#, #"{"":0}"#),
        (#"{"a":1,"b":2,"c":3}"#, #"{"b":null,"d":4,"a":0}"#, #"{"a":0,"c":3,"d":4}"#),
    ])
    func keepsOneMemberOfEachName(_ original: String, _ patch: String, _ merged: String) throws {
        #expect(try merge(original, patch) == merged)
    }

    @Test func reportsItsDepth() throws {
        let rows = try ["1", "{}", "[]", "[1]", "[[]]", #"{"a":{}}"#, #"{"a":1,"b":[{"c":[]}]}"#].map {
            "\($0) \(try parse($0).depth)"
        }
        #expect(
            rows == [
                "1 0", "{} 1", "[] 1", "[1] 1", "[[]] 2", #"{"a":{}} 2"#, #"{"a":1,"b":[{"c":[]}]} 4"#,
            ]
        )
    }
}
