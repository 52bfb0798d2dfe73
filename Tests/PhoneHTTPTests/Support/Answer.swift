import Testing

/// A response.
struct Answer {
    let status: Int
    /// By lower-case name; several values of one name are joined by commas.
    let headers: [String: String]
    let body: String

    /// The first string of this member.
    func text(_ member: String) -> String? {
        guard let range = body.firstRange(of: "\"\(member)\":\"") else { return nil }
        return String(body[range.upperBound...].prefix { $0 != "\"" })
    }

    /// - Parameter text: the body, as ``json(_:)`` reads it.
    func expect(_ status: Int, _ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(body == json(text), sourceLocation: sourceLocation)
    }

    /// - Parameter code: that of the problem.
    func expect(_ status: Int, code: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(self.status == status, sourceLocation: sourceLocation)
        #expect(text("code") == code, sourceLocation: sourceLocation)
    }
}

/// Removes the line breaks and indentation of a JSON text, as the server writes it.
func json(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
}

/// The ID with this number of ``CountingIdentifiers``.
func id(_ prefix: String, _ number: Int) -> String {
    let digits = String(number, radix: 16)
    return prefix + "_" + String(repeating: "0", count: 32 - digits.count) + digits
}
