import PhoneNumbers

/// A place where a client has the browser sent: an `https` URL, an `http` URL of the person's own machine, or a
/// private-use scheme with a dot in it, such as `com.example.app:/signed-in` (RFC 8252 section 7). It has no fragment
/// (RFC 6749 section 3.1.2), and no user name before the host, which could pass for the host.
///
/// It is ASCII, so two are equal only byte for byte. Texts of requests are not: to Swift, U+212A (KELVIN SIGN) equals
/// `K`, and U+037E `;`.
public struct RedirectURI: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    /// What a browser calls the place: `https://shop.example`, or `com.example.app:` for a private-use scheme.
    public let origin: String

    public init?(_ text: String) {
        guard (1...1000).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }),
            !text.utf8.contains(where: { #"#\"<>^`{|}"#.utf8.contains($0) }), let colon = text.firstIndex(of: ":")
        else { return nil }
        let (scheme, rest) = (text[..<colon], text[text.index(after: colon)...])
        guard scheme.utf8.first?.isASCIILowerCase == true,
            scheme.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || "+-.".utf8.contains($0) })
        else { return nil }
        if scheme == "https" || scheme == "http" {
            guard rest.hasPrefix("//") else { return nil }
            let authority = rest.dropFirst(2).prefix { $0 != "/" && $0 != "?" }
            guard !authority.isEmpty, !authority.contains("@"), authority.first != ":" else { return nil }
            guard scheme == "https" || Self.isLoopback(authority) else { return nil }
            origin = "\(scheme)://\(authority)"
        } else {
            guard scheme.contains("."), !rest.isEmpty else { return nil }
            origin = "\(scheme):"
        }
        description = text
    }

    private static func isLoopback(_ authority: Substring) -> Bool {
        loopbackHosts.contains {
            authority == $0 || authority.hasPrefix($0 + ":") && port(authority.dropFirst($0.count + 1))
        }
    }

    private static let loopbackHosts = ["127.0.0.1", "[::1]", "localhost"]

    private static func port(_ text: Substring) -> Bool { UInt16(text).map { $0 > 0 && String($0) == text } ?? false }

    /// Whether it is the same but for the port, of a loopback address (RFC 8252 section 7.3). Not of `localhost`, which
    /// may lead elsewhere (section 8.3).
    package func matchesOnAnyPort(_ uri: RedirectURI) -> Bool {
        Self.withoutPort(description).map { $0 == Self.withoutPort(uri.description) } ?? false
    }

    private static func withoutPort(_ uri: String) -> String? {
        for host in ["http://127.0.0.1", "http://[::1]"] where uri.hasPrefix(host) {
            let rest = uri.dropFirst(host.count)
            let port = rest.prefix { $0 != "/" && $0 != "?" }
            guard port.isEmpty || port.first == ":" && Self.port(port.dropFirst()) else { return nil }
            return host + rest.dropFirst(port.count)
        }
        return nil
    }
}
