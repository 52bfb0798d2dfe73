import HTTPTypes
public import PhoneDomain

/// The proxies that may say where a request came from, and the header that they use.
public struct TrustedProxies: Hashable, Sendable {
    /// No proxy: the client is the other end of the connection.
    public static let none = TrustedProxies(blocks: [], header: .xForwardedFor)

    public let blocks: [AddressBlock]
    public let header: ForwardedHeader
    public var isEmpty: Bool { blocks.isEmpty }

    public init(blocks: [AddressBlock], header: ForwardedHeader) {
        self.blocks = blocks
        self.header = header
    }

    public func contains(_ address: IPAddress) -> Bool { blocks.contains { $0.contains(address) } }

    /// The client's address: the nearest one that is not a trusted proxy's.
    ///
    /// An element of the chain counts only if a trusted proxy has added it, so clients cannot choose their address by
    /// what they send. Where the next element is missing or malformed, the proxy that should have added it stands for
    /// everyone behind it.
    ///
    /// - Parameter peer: the other end of the connection.
    func client(behind peer: IPAddress, _ headers: HeaderFields) -> IPAddress {
        guard contains(peer) else { return peer }
        var nearest = peer
        for address in ForwardedChain(header.values(in: headers), of: header).prefix(Self.maxHops) {
            nearest = address
            guard contains(address) else { break }
        }
        return nearest
    }

    /// More than any request passes, so that a loop of proxies ends.
    private static let maxHops = 32
}

/// Sets the address by which limits know the client.
package struct ClientAddressing: RequestFilter {
    let proxies: TrustedProxies

    package init(proxies: TrustedProxies) { self.proxies = proxies }

    package func check(_ request: Request, _ context: inout APIContext) async throws {
        _ = try checkAtOnce(request, &context)
    }

    package func checkAtOnce(_ request: Request, _ context: inout APIContext) throws -> Bool {
        // A client that resets the connection right after the request has no address when the request is handled, and
        // must not be served as one without limits.
        guard !context.isAbandoned else { throw Problem.malformed("The connection was reset.") }
        context.address = context.peer.map { ClientAddress(proxies.client(behind: $0, request.headers)) }
        return true
    }
}

/// A CIDR block (RFC 4632 section 3.1, RFC 4291 section 2.3), or one address.
public struct AddressBlock: Hashable, Sendable {
    private let first: IPAddress
    private let prefixLength: Int

    /// Nil if there are not that many bits, or if a bit after the prefix is set, which is a mistake: `10.1.0.0/8` may
    /// be meant as `10.1.0.0/16`.
    public init?(_ first: IPAddress, prefixLength: Int) {
        let width = first.family.bitWidth
        guard (0...width).contains(prefixLength), first.bits.trailingZeroBitCount >= width - prefixLength else {
            return nil
        }
        self.first = first
        self.prefixLength = prefixLength
    }

    /// Whether it contains every address of its family: `0.0.0.0/0` or `::/0`.
    public var isEverything: Bool { prefixLength == 0 }

    public func contains(_ address: IPAddress) -> Bool {
        address.family == first.family
            && (address.bits ^ first.bits) >> (first.family.bitWidth - prefixLength) == 0
    }
}

extension AddressBlock: LosslessStringConvertible {
    /// Parses an address, or an address, a slash and a prefix length; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        guard parts.count == 2 else {
            self.init(address, prefixLength: address.family.bitWidth)
            return
        }
        // An IPv4 address that is mapped into IPv6 has the length of an IPv6 prefix.
        let isMapped = address.family == .v4 && parts[0].contains(":")
        guard let written = Self.length(parts[1]) else { return nil }
        self.init(address, prefixLength: isMapped ? written - 96 : written)
    }

    /// `10.0.0.0/8`, or the address alone for a block of one.
    public var description: String {
        prefixLength == first.family.bitWidth ? first.description : "\(first)/\(prefixLength)"
    }

    private static func length(_ text: Substring) -> Int? {
        // `Int` alone accepts a sign and leading zeros.
        Int(text).flatMap { String($0) == text && $0 >= 0 ? $0 : nil }
    }
}
