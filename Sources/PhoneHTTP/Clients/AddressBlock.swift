public import PhoneDomain

/// All addresses that begin with the same bits: a CIDR block (RFC 4632 section 3.1, RFC 4291 section 2.3), or one address.
public struct AddressBlock: Hashable, Sendable {
    private let first: IPAddress
    private let prefixLength: Int

    /// The block of all addresses whose first so many bits are those of this one; nil if there are not so many, or if one
    /// is set behind them, which is a mistake: `10.1.0.0/8` may be meant for `10.1.0.0/16`.
    public init?(_ first: IPAddress, prefixLength: Int) {
        let width = first.family.bitWidth
        guard (0...width).contains(prefixLength), first.bits.trailingZeroBitCount >= width - prefixLength else {
            return nil
        }
        self.first = first
        self.prefixLength = prefixLength
    }

    /// Whether it is all there is of its family: `0.0.0.0/0` or `::/0`.
    public var isEverything: Bool { prefixLength == 0 }

    /// Whether this address is one of the block's.
    public func contains(_ address: IPAddress) -> Bool {
        address.family == first.family
            && (address.bits ^ first.bits) >> (first.family.bitWidth - prefixLength) == 0
    }
}

extension AddressBlock: LosslessStringConvertible {
    /// Reads an address, or an address, a slash and the number of its bits that count; nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = parts.first.flatMap({ IPAddress(String($0)) }) else { return nil }
        guard parts.count == 2 else {
            self.init(address, prefixLength: address.family.bitWidth)
            return
        }
        // What is mapped into IPv6 is written with the length of an IPv6 prefix.
        let isMapped = address.family == .v4 && parts[0].contains(":")
        guard let written = Self.length(parts[1]) else { return nil }
        self.init(address, prefixLength: isMapped ? written - 96 : written)
    }

    /// `10.0.0.0/8`, or the address alone where the block is one.
    public var description: String {
        prefixLength == first.family.bitWidth ? first.description : "\(first)/\(prefixLength)"
    }

    private static func length(_ text: Substring) -> Int? {
        // `Int` alone would take a sign and leading zeros.
        Int(text).flatMap { String($0) == text && $0 >= 0 ? $0 : nil }
    }
}
