/// A response of a server.
public struct HTTPAnswer: Sendable {
    public let status: Int
    /// By lower-case name; several values of one name are joined by commas.
    public let headers: [String: String]
    public let body: String

    public init(status: Int, headers: [(name: String, value: String)], body: String) {
        (self.status, self.body) = (status, body)
        self.headers = Dictionary(headers.map { ($0.name.lowercased(), $0.value) }) { $0 + "," + $1 }
    }

    /// The first string of this member.
    public func text(_ member: String) -> String? {
        guard let range = body.firstRange(of: "\"\(member)\":\"") else { return nil }
        return String(body[range.upperBound...].prefix { $0 != "\"" })
    }
}

/// Removes the line breaks and indentation of a JSON text, as the server writes it.
public func json(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
}

/// The body of a Twilio error.
public func twilioError(_ code: Int, _ message: String, _ status: Int) -> String {
    json(
        """
        {"code":\(code),
         "message":"\(message)",
         "more_info":"https://www.twilio.com/docs/errors/\(code)",
         "status":\(status)}
        """
    )
}
