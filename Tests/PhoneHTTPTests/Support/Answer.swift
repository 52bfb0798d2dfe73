/// What a server has answered.
struct Answer {
    let status: Int
    /// The fields by their names in lower case; several of one name with commas between.
    let headers: [String: String]
    let body: String

    /// The text between the quotes behind this member's name, where it first occurs.
    func text(_ member: String) -> String? {
        guard let range = body.firstRange(of: "\"\(member)\":\"") else { return nil }
        return String(body[range.upperBound...].prefix { $0 != "\"" })
    }
}

/// A JSON text written over several lines, as the server writes it: on one.
func json(_ text: String) -> String {
    text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined()
}

/// An identifier as ``CountingIdentifiers`` counts it.
func id(_ prefix: String, _ number: Int) -> String {
    let digits = String(number, radix: 16)
    return prefix + "_" + String(repeating: "0", count: 32 - digits.count) + digits
}
