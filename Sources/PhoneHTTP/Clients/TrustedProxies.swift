import HTTPTypes
public import PhoneDomain

/// The proxies whose word on where a request came from is taken, and the header that they give it in.
public struct TrustedProxies: Hashable, Sendable {
    /// Nobody's word is taken: a client is who is at the other end of the connection.
    public static let none = TrustedProxies(blocks: [], header: .xForwardedFor)

    /// Where they are.
    public let blocks: [AddressBlock]
    /// The header that they write, and the only one that is read.
    public let header: ForwardedHeader

    /// The proxies at these addresses.
    public init(blocks: [AddressBlock], header: ForwardedHeader) {
        self.blocks = blocks
        self.header = header
    }

    /// Whether this is the address of such a proxy.
    public func contains(_ address: IPAddress) -> Bool {
        blocks.contains { $0.contains(address) }
    }

    /// Where a request came from: the nearest address that is no trusted proxy's.
    ///
    /// Each word in the chain is taken only if a trusted proxy has said it, so a client cannot choose its address by
    /// what it sends. Where the next word is missing or cannot be read, the proxy that should have said it stands for
    /// all behind it.
    ///
    /// - Parameters:
    ///   - peer: the address at the other end of the connection.
    ///   - headers: the fields of the request.
    func client(behind peer: IPAddress, _ headers: HTTPFields) -> IPAddress {
        guard contains(peer) else { return peer }
        var nearest = peer
        for address in ForwardedChain(header.values(in: headers), of: header).prefix(Self.maxHops) {
            nearest = address
            guard contains(address) else { break }
        }
        return nearest
    }

    /// More proxies than any request passes, so that one that loops through them does not come round for ever.
    private static let maxHops = 32
}
