import CoreEncodings
import Testing

@testable import PhoneCLI

@Suite struct RecordReaderTests {
    /// Each record, or what is wrong with it, behind the number of its line.
    private func read(_ text: String, chunk: Int = 1 << 16) throws -> [String] {
        var rest = Array(text.utf8)[...]
        var reader = RecordReader {
            defer { rest = rest.dropFirst(chunk) }
            return Array(rest.prefix(chunk))
        }
        var found: [String] = []
        while let record = try reader.next() {
            switch record.value {
            case .success(let value): found.append("\(record.line) \(value.text)")
            case .failure(let error): found.append("\(record.line) \(error)")
            }
        }
        return found
    }

    private static let files: [(text: String, records: [String])] = [
        ("", []), ("\u{FEFF} \n", []),
        ("{\"a\":1}\n\n{\"b\":\"x\\ny\"}", [#"1 {"a":1}"#, #"3 {"b":"x\ny"}"#]),
        (
            "{\"a\":1}\r\n{\"a\":\n[]\n{}\n",
            [#"1 {"a":1}"#, "2 it is no JSON object", "3 it is no JSON object", "4 {}"]
        ),
        ("\u{FEFF}{\"a\":1}\n", [#"1 {"a":1}"#]),
        ("[]", []), ("[\n {\"a\": \"],}\\\"\"},\n {\"b\": [{}]}\n]\n", [#"2 {"a":"],}\""}"#, #"3 {"b":[{}]}"#]),
        ("[{}, 7, {}]", ["1 {}", "1 it is no JSON object", "1 {}"]),
        ("[{}", ["1 {}", "1 the file ends within its list"]),
        ("{\"users\": [\n{\"a\":1}\n], \"more\": {}}", [#"2 {"a":1}"#]),
        ("{ \"Users\" :\n[{\"a\":1}]}", [#"2 {"a":1}"#]),
        ("{\"users\": 7}\n", [#"1 {"users":7}"#]),
        ("a,b\n1,2\n\n3,\n", [#"2 {"a":"1","b":"2"}"#, #"4 {"a":"3"}"#]),
        (
            "a,b\r\n\"1,\"\"2\nx\",\"\"\r\n4,5,6\r\n",
            [#"2 {"a":"1,\"2\nx"}"#, "4 it has 3 fields, and the first line 2"]
        ),
        ("phone_number\n+82", [#"2 {"phone_number":"+82"}"#]),
    ]

    @Test(arguments: files.indices) func `a file is read whatever its form, and in chunks of any size`(index: Int)
        throws
    {
        let file = Self.files[index]
        for chunk in [1, 2, 3, 7, 1 << 16] { #expect(try read(file.text, chunk: chunk) == file.records) }
    }

    @Test func `a record that is too long is skipped`() throws {
        let long = String(repeating: "x", count: RecordReader.longest)
        #expect(try read("{\"a\":\"\(long)\"}\n{}\n") == ["1 it is longer than 1048576 bytes", "2 {}"])
    }

    @Test func `a header that cannot be meant is refused`() {
        #expect(throws: RecordReader.Unreadable.self) { try read("a;b\n1;2\n") }
        #expect(throws: RecordReader.Unreadable.self) { try read("a,a\n1,2\n") }
    }
}
