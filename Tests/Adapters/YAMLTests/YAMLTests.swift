import CoreEncodings
import Testing
import YAML

@Suite struct YAMLTests {
    private func parse(_ text: String) throws(YAMLError) -> YAML? { try YAML.parse(Array(text.utf8)) }

    @Test func readsWhatPeopleWriteInSettings() throws {
        let text = """
            # A comment.
            server: {port: 8080, host: "::1"} # behind a value
            list:
              - one
              - 'it''s two'
            empty:
            same: &it [1.50, true, 2026-01-01, "1", ~]
            again: *it
            lines: |
              first
              second
            folded: >-
              first
              second
            """
        let same: JSON = .array([.number("1.50"), true, "2026-01-01", "1", nil])
        let expected = JSON.object([
            .init("server", .object([.init("port", 8080), .init("host", "::1")])),
            .init("list", .array(["one", "it's two"])),
            .init("empty", nil),
            .init("same", same),
            .init("again", same),
            .init("lines", "first\nsecond\n"),
            .init("folded", "first second"),
        ])
        #expect(try parse(text).map { JSON($0) } == expected)
    }

    @Test func isNothingWithoutAValue() throws {
        #expect(try parse("") == nil)
        #expect(try parse("# nothing\n") == nil)
    }

    @Test(arguments: [
        ("a: b: c", "line 1: mapping values are not allowed in this context"),
        ("a: 1\n\tb: 2", "line 2: found a tab character that violates indentation"),
        ("a: 1\nb:\n  c: 1\n  c: 2", "line 4: c is there twice"),
        ("[a]: 1", "line 1: a key is no text"),
        ("a: 1\n---\nb: 2", "there is a second document behind ---"),
        ("a: &a [*a]", "it is nested without end"),
        ("a: *b", "line 1: found undefined alias"),
    ])
    func refuses(text: String, reason: String) throws {
        let error = #expect(throws: YAMLError.self) { try parse(text) }
        #expect(error?.description == reason)
    }

    @Test func refusesMoreThanItCanHaveInMemory() throws {
        let aliases = (1..<10).map {
            "a\($0): &a\($0) [\(Array(repeating: "*a\($0 - 1)", count: 9).joined(separator: ","))]\n"
        }
        for text in ["a0: &a0 [1]\n" + aliases.joined(), "[" + String(repeating: "1,", count: 100_000) + "1]"] {
            let error = #expect(throws: YAMLError.self) { try parse(text) }
            #expect(error?.description == "it has too many values, what aliases stand for included")
        }
        let error = #expect(throws: YAMLError.self) { try parse(String(repeating: "[", count: 100_000)) }
        #expect(error?.description == "it is nested without end")
    }

    @Test func refusesBytesThatAreNoText() throws {
        #expect(throws: YAMLError.self) { try YAML.parse([0x61, 0x3A, 0xFF]) }
    }
}
