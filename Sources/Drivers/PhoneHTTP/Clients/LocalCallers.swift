import CoreEncodings

/// Recognizes requests of programs on the same machine, where anyone who can connect would be served.
///
/// A server that listens on loopback only can still be reached by others: through a proxy on the machine, and through a
/// browser on it that follows a name which resolves to 127.0.0.1 (DNS rebinding). Both show in the request: a proxy by
/// the headers that it adds or the name that it passes on, rebinding by the name.
package enum LocalCallers {
    private static func isOfProxy(_ name: String) -> Bool {
        name == "forwarded" || name == "via" || name == "x-real-ip" || name.hasPrefix("x-forwarded-")
            || name == "cf-connecting-ip"
    }

    /// Whether a browser says that a page of another origin sends this (Fetch Metadata; RFC 6454 section 7): any page
    /// can submit a form anywhere.
    private static func isOfAnotherSite(_ name: String, _ value: String) -> Bool {
        switch name {
        case "sec-fetch-site": value == "cross-site" || value == "same-site"
        case "origin": !isLocal(authority: value.drop { $0 != "/" }.drop { $0 == "/" }.asciiLowercased)
        default: false
        }
    }

    /// Whether the request is one of theirs.
    ///
    /// - Parameter hosts: lower-case names that the operator has pointed at this machine.
    package static func include(_ request: Request, at hosts: Set<String> = []) -> Bool {
        guard let authority = request.authority?.asciiLowercased,
            isLocal(authority: authority) || hosts.contains(String(authority[...].withoutPort))
        else { return false }
        return !request.headers.contains { name, value in
            let name = name.asciiLowercased
            return isOfProxy(name) || isOfAnotherSite(name, value)
        }
    }

    private static func isLocal(authority: String) -> Bool {
        EndpointURL.isLoopback(authority[...].withoutPort)
    }
}

extension Substring {
    /// The host of an authority (RFC 3986 section 3.2).
    var withoutPort: Substring {
        let port = reversed().prefix { $0.isASCII && $0.isNumber }
        let name = dropLast(port.count)
        return name.last == ":" && !port.isEmpty ? name.dropLast() : self
    }
}
