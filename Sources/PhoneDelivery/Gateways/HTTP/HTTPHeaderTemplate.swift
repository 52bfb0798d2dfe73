/// A header with gaps, `Authorization: Bearer {{secret}}`.
struct HTTPHeaderTemplate: Hashable {
    /// Those that say how a message is carried (RFC 9110 sections 7 and 8, RFC 9112 section 6): they are the client's.
    private static let reserved: Set = [
        "connection", "content-length", "expect", "host", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    let name: String
    let value: RequestTemplate

    /// Reads a header.
    ///
    /// - Throws: ``HTTPGatewayConfigurationError/Problem``, also for one that bears the text: that has line breaks.
    init(_ text: String) throws(HTTPGatewayConfigurationError.Problem) {
        guard let colon = text.firstIndex(of: ":") else { throw .header }
        let name = text[..<colon]
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        // RFC 9110 section 5.6.2.
        let marks = Set("!#$%&'*+-.^_`|~".utf8)
        guard !name.isEmpty, !value.isEmpty, !Self.reserved.contains(name.lowercased()),
            name.utf8.allSatisfy({ $0.isASCIILetterOrDigit || marks.contains($0) })
        else { throw .header }
        self.name = String(name)
        self.value = try RequestTemplate(value)
        guard !self.value.variables.contains(.body), self.value.literals.allSatisfy(\.isPrintableASCII) else {
            throw .header
        }
    }

    /// The header, in which a value has no character that ends it, whatever it came with.
    func filled(_ value: (RequestVariable) -> String) -> GatewayClient.Header {
        (name, self.value.filled { String(decoding: value($0).utf8.filter(\.isPrintableASCII), as: UTF8.self) })
    }
}

extension String {
    /// Whether a header may bear it as it is, tabs aside (RFC 9110 section 5.5).
    var isPrintableASCII: Bool { utf8.allSatisfy(\.isPrintableASCII) }
}

extension UInt8 {
    fileprivate var isPrintableASCII: Bool { 0x20...0x7E ~= self }

    fileprivate var isASCIILetterOrDigit: Bool {
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= self || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
