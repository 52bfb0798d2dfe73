import CoreEncodings
import NIOCore
import PhoneDomain

@testable import PhoneHTTP

/// A request and its response.
struct Exchange {
    let method: String
    /// The path and query as sent.
    let target: String
    /// By lower-case name.
    let headers: [String: String]
    let body: [UInt8]
    let answer: Answer

    init(
        _ method: String,
        _ target: String,
        headers: [(name: String, value: String)],
        body: [UInt8],
        answer: Answer
    ) {
        self.method = method
        self.target = target
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { $0 + "," + $1 }
        self.body = body
        self.answer = answer
    }

    /// The parts of the path as sent.
    var parts: [Substring] {
        target.replacing(/^https?:\/\/[^\/]*/, with: "").prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    /// The query parameters; of one name the first.
    var query: [String: String] {
        Self.parameters(target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" })
    }

    /// The form as a JSON object.
    var form: JSON {
        .object(Self.parameters(Substring(decoding: body, as: UTF8.self)).map { JSON.Member($0, .string($1)) })
    }

    private static func parameters(_ text: Substring) -> [String: String] {
        let pairs = text.split(separator: "&").map { pair in
            let name = pair.prefix { $0 != "=" }
            let value = pair.dropFirst(name.count + 1)
            return (String(percentDecoding: name) ?? "", String(percentDecoding: value) ?? String(value))
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// The body as JSON; nil if it is not.
    static func json(_ bytes: some Sequence<UInt8>) -> JSON? {
        Array(bytes).withUnsafeBytes { JSON(parsing: $0) }
    }
}
