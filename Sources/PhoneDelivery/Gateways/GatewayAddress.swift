import FoundationEssentials

/// The base URL of a gateway's API, such as `https://api.twilio.com`; a path in it goes before the gateway's own paths.
public struct GatewayAddress: Hashable, Sendable, LosslessStringConvertible {
    /// Without a slash at its end.
    public let description: String
    /// Whether it is `http`: secrets can then be read in transit.
    public let isPlain: Bool
    public let host: String

    /// Reads an `http` or `https` URL with a host; nil for anything else, and for one with a user, a query or a fragment, which
    /// would have no meaning.
    public init?(_ description: String) {
        guard let (components, scheme, host) = parseWebURL(description), components.query == nil else { return nil }
        var text = description[...]
        while text.last == "/" { text.removeLast() }
        self.description = String(text)
        self.host = host
        isPlain = scheme == "http"
    }

    /// `https://` and a host's name, which is known to be valid.
    init(secureHost host: String) {
        description = "https://\(host)"
        self.host = host
        isPlain = false
    }

    /// The URL split into scheme, host and port, and its path followed by `rest`, as signatures need it.
    func split(before rest: String) -> (origin: String, path: String) {
        (String(description.dropLast(path.count)), path + rest)
    }

    /// Host and port, if there is one, as in the `Host` header.
    var authority: String { String(withoutScheme.prefix { $0 != "/" }) }

    /// Empty, or with a slash at its beginning and none at its end.
    var path: String { String(withoutScheme.drop { $0 != "/" }) }

    private var withoutScheme: Substring { description.drop { $0 != ":" }.dropFirst(3) }
}

/// A URL that something is posted to: the receiver of webhooks, a vendor's API, this service as a vendor reaches it. It may
/// have a query.
public struct EndpointURL: Hashable, Sendable, LosslessStringConvertible {
    /// As it was written, which is what vendors sign. The query may contain a secret, so log ``origin`` instead.
    public let description: String
    public let host: String
    public let origin: String
    /// Whether it is `http`: the content can then be read in transit.
    public let isPlain: Bool

    /// Reads an `http` or `https` URL with a host; nil for anything else, and for one with a user or a fragment.
    public init?(_ description: String) {
        guard description.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let (components, scheme, host) = parseWebURL(description)
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

private func parseWebURL(_ text: String) -> (components: URLComponents, scheme: String, host: String)? {
    guard let components = URLComponents(string: text),
        let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
        let host = components.host, !host.isEmpty, components.user == nil, components.fragment == nil
    else { return nil }
    return (components, scheme, host)
}
