import FoundationEssentials

/// Where events are told, or messages handed over: an address of the operator's own choice, which may bear a query.
public struct WebhookEndpoint: Hashable, Sendable, LosslessStringConvertible {
    /// The address as it was written. It may bear a secret in its query, and is not for logs: ``origin`` is.
    public let description: String
    /// The host's name or address.
    public let host: String
    /// Scheme, host and port.
    public let origin: String
    /// Whether what is told there can be read on the way.
    public let isPlain: Bool

    /// Reads an address with `http` or `https` and a host; nil for anything else, and for one with a user or a fragment.
    public init?(_ description: String) {
        guard description.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let components = URLComponents(string: description),
            let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = components.host, !host.isEmpty, components.user == nil, components.fragment == nil
        else { return nil }
        self.description = description
        self.host = host
        origin = "\(scheme)://\(host)" + (components.port.map { ":\($0)" } ?? "")
        isPlain = scheme == "http"
    }

    /// Whether it is this machine: an address of 127.0.0.0/8 (RFC 1122 section 3.2.1.3), `::1` or `localhost`.
    public var isLoopback: Bool {
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        let isIPv4 = parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
        return isIPv4 || ["::1", "[::1]", "localhost"].contains(host.lowercased())
    }
}
