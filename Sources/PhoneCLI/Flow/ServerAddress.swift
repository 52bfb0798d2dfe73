import FoundationEssentials

/// Where a PhoneProof server is, such as `http://127.0.0.1:8080`; a path in it goes before the paths of the service.
public struct ServerAddress: Hashable, Sendable, LosslessStringConvertible {
    /// The address without a slash at its end.
    public let description: String

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
    }
}
