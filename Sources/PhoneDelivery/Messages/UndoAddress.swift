/// Where a change of number is undone: the beginning of the link that the old number is sent. The link's secret follows it.
public struct UndoAddress: Sendable, Equatable, CustomStringConvertible {
    /// The address as it was given.
    public let description: String

    /// `nil` unless the text is an `https` or `http` URL of at most 300 characters, with a host and no user, that ends in `/`,
    /// in `=` or in `#`, so that what is appended is a segment of the path, a parameter or the fragment (RFC 3986).
    public init?(_ text: String) {
        guard text.utf8.count <= 300, text.utf8.allSatisfy(Self.mayContain), let last = text.last, "/=#".contains(last),
            let scheme = ["https://", "http://"].first(where: text.hasPrefix)
        else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { !"/?#".contains($0) }
        // A fragment ends the URL, so there is one at most.
        guard !authority.isEmpty, authority.count < rest.count, !authority.contains("@"), authority.first != ":",
            rest.count(where: { $0 == "#" }) <= 1
        else { return nil }
        description = text
    }

    /// Whether the secret can be read on its way there: it is sent without TLS, and not to this machine.
    public var isPlain: Bool {
        guard description.hasPrefix("http://") else { return false }
        let host = description.dropFirst("http://".count)
        return !["localhost", "127.0.0.1", "[::1]"].contains { host.hasPrefix($0 + ":") || host.hasPrefix($0 + "/") }
    }

    /// The link of a secret.
    func link(_ secret: String) -> String {
        description + secret
    }

    private static func mayContain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~:/?#[]@!$&'()*+,;=%".utf8.contains(byte)
        }
    }
}
