/// By what a limit knows a client: its IPv4 address, or the /64 of its IPv6 address.
///
/// One subscriber has at least a /64 (RFC 6177 section 2; RFC 4291 section 2.5.4 makes the other 64 bits the interface's),
/// and may take another address in it for every request.
public struct ClientAddress: Hashable, Sendable {
    /// The IPv4 address, or the first address of the /64.
    private let first: IPAddress

    private init(first: IPAddress) {
        self.first = first
    }

    /// The key of this address.
    public init(_ address: IPAddress) {
        self.init(first: address.translatedV4 ?? address.startOfNetwork)
    }

    /// The key of the address of these bytes in network order, 4 or 16 of them; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard let address = IPAddress(bytes: bytes) else { return nil }
        self.init(address)
    }
}

extension ClientAddress: LosslessStringConvertible {
    /// Reads an address of either family as ``IPAddress/init(_:)`` does, or the key's own description; nil for
    /// anything else, other blocks than a /64 among it.
    public init?(_ text: String) {
        guard text.hasSuffix(Self.suffix) else {
            guard let address = IPAddress(text) else { return nil }
            self.init(address)
            return
        }
        guard let address = IPAddress(String(text.dropLast(Self.suffix.count))), address.family == .v6,
            address.startOfNetwork == address, !address.isOf6to4
        else { return nil }
        self.init(first: address)
    }

    /// `203.0.113.7`, or `2001:db8:1:2::/64`.
    public var description: String {
        first.description + (first.family == .v6 ? Self.suffix : "")
    }

    private static let suffix = "/64"
}

extension IPAddress {
    /// The IPv4 address that a translator or a tunnel has written into an IPv6 address.
    ///
    /// Behind a translator with the well-known prefix `64:ff9b::/96` (RFC 6052 section 2.1) all of IPv4 is in one /64,
    /// so that every client there would be one. By 6to4 (`2002::/16`, RFC 3056 section 2) one IPv4 address is 65,536 of
    /// them, so that its holder would be many.
    fileprivate var translatedV4: IPAddress? {
        guard family == .v6 else { return nil }
        if isOf6to4 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        return bits >> 32 == 0x0064_FF9B << 64 ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : nil
    }

    fileprivate var isOf6to4: Bool { family == .v6 && bits >> 112 == 0x2002 }

    /// The first address of the /64; an IPv4 address itself.
    fileprivate var startOfNetwork: IPAddress {
        family == .v6 ? IPAddress(v6: bits & ~UInt128(UInt64.max)) : self
    }
}
