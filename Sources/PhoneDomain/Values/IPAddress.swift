/// An Internet address: 32 bits of IPv4 (RFC 791) or 128 bits of IPv6 (RFC 4291).
///
/// An IPv4-mapped IPv6 address (`::ffff:203.0.113.7`, RFC 4291 section 2.5.5.2) is the IPv4 address within: a socket that
/// takes both families names its IPv4 peers so, and one peer must not have two addresses.
public struct IPAddress: Hashable, Sendable {
    /// Which protocol an address is of.
    public enum Family: Hashable, Sendable {
        case v4, v6

        /// How many bits an address has: 32 or 128.
        public var bitWidth: Int { self == .v4 ? 32 : 128 }
    }

    /// Which protocol it is of.
    public let family: Family
    /// The address as a number, its first byte the most significant; of an IPv4 address the low 32 bits.
    public let bits: UInt128

    /// The IPv4 address of these bits.
    public init(v4 bits: UInt32) {
        family = .v4
        self.bits = UInt128(bits)
    }

    /// The IPv6 address of these bits, or the IPv4 address that is mapped in them.
    public init(v6 bits: UInt128) {
        let isMapped = bits >> 32 == 0xFFFF
        family = isMapped ? .v4 : .v6
        self.bits = isMapped ? bits & UInt128(UInt32.max) : bits
    }

    /// The address of these bytes in network order, 4 or 16 of them; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let bits = bytes.reduce(0 as UInt128) { $0 << 8 | UInt128($1) }
        if bytes.count == 4 {
            self.init(v4: UInt32(truncatingIfNeeded: bits))
        } else {
            self.init(v6: bits)
        }
    }
}
