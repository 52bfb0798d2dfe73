import FoundationEssentials

/// Where a gateway reports how messages fared: an address of this service as the gateway reaches it.
public struct CallbackAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The address as it was written, which is what the gateway signs.
    public let description: String
    /// The host's name or address.
    public let host: String
    /// Whether what is reported can be read on the way.
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
        isPlain = scheme == "http"
    }
}
