import PhoneDomain

/// Where a page comes from, as browsers write it in `Origin` (RFC 6454 section 6.2): `https://example.com:8443`.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    /// As browsers write it.
    public let description: String

    /// Reads one.
    ///
    /// - Returns: nil unless it is a scheme, `://` and a host, with a port behind it or not, all as browsers write them:
    ///   in lower case, without the port that goes with the scheme, and with nothing behind.
    public init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text[colon...].hasPrefix("://") else { return nil }
        let scheme = text[..<colon]
        let authority = text[colon...].dropFirst(3)
        guard Self.isScheme(scheme), let (host, port) = Self.split(authority), Self.isHost(host) else { return nil }
        if let port {
            // Int alone takes signs and leading zeros.
            guard let number = UInt16(port), number > 0, String(number) == port else { return nil }
            guard !(scheme == "http" && number == 80 || scheme == "https" && number == 443) else { return nil }
        }
        description = text
    }

    /// Whether what a page says on its way here can be read by anybody (`http` to another machine).
    public var isPlain: Bool {
        guard description.hasPrefix("http://") else { return false }
        let host = description.dropFirst("http://".count)
        return !["localhost", "127.0.0.1", "[::1]"].contains { host == $0 || host.hasPrefix($0 + ":") }
    }

    private static func isScheme(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first) else { return false }
        return text.utf8.allSatisfy { isLowercaseOrDigit($0) || "+-.".utf8.contains($0) }
    }

    private static func split(_ authority: Substring) -> (host: Substring, port: Substring?)? {
        let end = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        if authority.hasPrefix("["), end == nil { return nil }
        guard let colon = authority[(end ?? authority.startIndex)...].firstIndex(of: ":") else {
            return end == nil || end == authority.endIndex ? (authority, nil) : nil
        }
        guard end == nil || end == colon else { return nil }
        return (authority[..<colon], authority[authority.index(after: colon)...])
    }

    private static func isHost(_ host: Substring) -> Bool {
        if host.hasPrefix("[") { return IPAddress(String(host.dropFirst().dropLast())) != nil }
        return !host.isEmpty && host.utf8.allSatisfy { isLowercaseOrDigit($0) || "-._".utf8.contains($0) }
    }

    private static func isLowercaseOrDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
