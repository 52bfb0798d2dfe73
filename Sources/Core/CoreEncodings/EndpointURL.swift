#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A configured URL: a vendor's API, the receiver of webhooks, this service as a vendor reaches it.
public struct EndpointURL: Hashable, Sendable, CustomStringConvertible {
    /// As it was written, which is what vendors sign. The query may contain a secret, so log ``origin`` instead.
    public let description: String
    /// An IPv6 address is in brackets.
    public let host: String
    package let port: Int?
    /// Whether it is `http`: secrets, codes and numbers can then be read in transit.
    public let isPlain: Bool
}

extension EndpointURL {
    /// Reads an `http` or `https` URL with a host; nil for anything else, and for one with a user or a fragment, which
    /// would have no meaning.
    public init?(_ description: String) {
        guard description.utf8.allSatisfy({ 0x21...0x7E ~= $0 }), let components = URLComponents(string: description),
            let scheme = components.scheme?.asciiLowercased, ["http", "https"].contains(scheme),
            let host = components.host, !host.isEmpty, components.user == nil, components.fragment == nil
        else { return nil }
        self.init(description: description, host: host, port: components.port, isPlain: scheme == "http")
    }

    /// Reads the base URL of an API, such as `https://api.twilio.com`, whose path goes before the API's own paths; nil
    /// also for one with a query. Slashes at its end do not count.
    public init?(base: String) {
        guard !base.contains("?") else { return nil }
        var base = base
        while base.last == "/" { base.removeLast() }
        self.init(base)
    }

    /// The root of a host that is known to be valid, by `https`.
    package init(httpsHost host: String) {
        self.init(description: "https://\(host)", host: host, port: nil, isPlain: false)
    }

    public var origin: String { "\(isPlain ? "http" : "https")://\(authority)" }

    /// Host and port, if there is one, as in the `Host` header.
    package var authority: String { host + (port.map { ":\($0)" } ?? "") }

    /// The path with its query, as it was written.
    package var path: String { String(description.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" && $0 != "?" }) }

    public var isLoopback: Bool { Self.isLoopback(host) }

    /// Whether it is this machine: an address of 127.0.0.0/8 (RFC 1122 section 3.2.1.3), `::1` or `localhost`, and no
    /// name that only looks like one.
    package static func isLoopback(_ host: some StringProtocol) -> Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || ["::1", "[::1]", "localhost"].contains(String(host).asciiLowercased)
    }
}
