import NIOCore

@testable import PhoneHTTP

/// A request and its answer.
struct Exchange {
    let method: String
    /// The target as it was sent: the path, and a query behind it.
    let target: String
    /// The fields of the request by their names in lower case.
    let headers: [String: String]
    let body: [UInt8]
    let answer: Answer

    /// A request of these.
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

    /// The parts of the path, as they were sent.
    var parts: [Substring] {
        target.replacing(/^https?:\/\/[^\/]*/, with: "").prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
    }

    /// The parameters of the query, of one name the first.
    var query: [String: String] {
        Self.parameters(target.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" })
    }

    /// The body as a form, as the object that it stands for.
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

    /// A body as JSON; nil if it is none.
    static func json(_ bytes: some Sequence<UInt8>) -> JSON? {
        try? JSONParser.parse(ByteBuffer(bytes: bytes).readableBytesView)
    }
}
