import FoundationEssentials

/// Where a gateway takes messages, such as `https://api.twilio.com`; a path in it goes before the gateway's own paths.
public struct GatewayAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The address without a slash at its end.
    public let description: String
    /// Whether what is sent there, secrets among it, can be read on the way.
    public let isPlain: Bool
    /// The host's name or address.
    public let host: String

    /// Reads an address with `http` or `https` and a host; nil for anything else, and for one with a user, a query or a
    /// fragment, which would have no meaning.
    public init?(_ description: String) {
        guard let components = URLComponents(string: description),
            let scheme = components.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = components.host, !host.isEmpty,
            components.user == nil, components.query == nil, components.fragment == nil
        else { return nil }
        var text = description[...]
        while text.last == "/" { text.removeLast() }
        self.description = String(text)
        self.host = host
        isPlain = scheme == "http"
    }

    /// The address in two: scheme, host and port, and the path in it with this behind, as signatures need it.
    func split(before rest: String) -> (origin: String, path: String) {
        (String(description.dropLast(path.count)), path + rest)
    }

    /// The address `https://` and a host's name, which is known to be one.
    init(secureHost host: String) {
        description = "https://\(host)"
        self.host = host
        isPlain = false
    }

    /// Host and port, if one is named, as the header `Host` has them.
    var authority: String {
        String(withoutScheme.prefix { $0 != "/" })
    }

    /// The path: empty, or from a slash on and without one at its end.
    var path: String {
        String(withoutScheme.drop { $0 != "/" })
    }

    private var withoutScheme: Substring {
        description.drop { $0 != ":" }.dropFirst(3)
    }
}
