import PhoneNumbers

/// 32 bits of IPv4 (RFC 791) or 128 bits of IPv6 (RFC 4291).
///
/// An IPv4-mapped IPv6 address (`::ffff:203.0.113.7`, RFC 4291 section 2.5.5.2) becomes the IPv4 address: a dual-stack
/// socket reports IPv4 peers so, and one peer must not have two addresses.
public struct IPAddress: Hashable, Sendable {
    public enum Family: Hashable, Sendable {
        case v4, v6

        public var bitWidth: Int { self == .v4 ? 32 : 128 }
    }

    public let family: Family
    /// The address as a number in network order; an IPv4 address in the low 32 bits.
    public let bits: UInt128

    public init(v4 bits: UInt32) {
        family = .v4
        self.bits = UInt128(bits)
    }

    public init(v6 bits: UInt128) {
        let isMapped = bits >> 32 == 0xFFFF
        family = isMapped ? .v4 : .v6
        self.bits = isMapped ? bits & UInt128(UInt32.max) : bits
    }
}

extension IPAddress: LosslessStringConvertible {
    /// Parses RFC 4291 section 2.2 text or, for IPv4, the strict form of RFC 6943 section 3.1.1; nil for anything else,
    /// including a zone (`%eth0`), a port, brackets and white space.
    ///
    /// No octet of IPv4 has a leading zero: some programs read `010` as eight, others as ten.
    public init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.longestText + 1))
        guard bytes.count <= Self.longestText else { return nil }
        let v4 = Self.v4(bytes[...]).map { IPAddress(v4: $0) }
        guard let address = v4 ?? Self.v6(bytes[...]).map({ IPAddress(v6: $0) }) else { return nil }
        self = address
    }

    /// The text of RFC 5952 section 4: `203.0.113.7`, `2001:db8::1`.
    public var description: String {
        switch family {
        case .v4: (0..<4).map { String(UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0))) }.joined(separator: ".")
        case .v6: Self.text(of: (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) })
        }
    }

    /// The length of `0000:0000:0000:0000:0000:ffff:255.255.255.255`: INET6_ADDRSTRLEN (RFC 3493 section 6.6) without
    /// the terminating NUL.
    private static let longestText = 45

    private static func text(of groups: [UInt16]) -> String {
        let texts = groups.map { String($0, radix: 16) }
        guard let zeros = longestZeros(in: groups) else { return texts.joined(separator: ":") }
        return texts[..<zeros.lowerBound].joined(separator: ":") + "::"
            + texts[zeros.upperBound...].joined(separator: ":")
    }

    /// The groups that `::` replaces: the longest run of zeros, the first of several, never one group alone (RFC 5952
    /// section 4.2).
    private static func longestZeros(in groups: [UInt16]) -> Range<Int>? {
        var longest = 0..<1
        var start = 0
        for (index, group) in groups.enumerated() {
            guard group == 0 else {
                start = index + 1
                continue
            }
            if index + 1 - start > longest.count { longest = start..<(index + 1) }
        }
        return longest.count > 1 ? longest : nil
    }

    private static func v4(_ text: ArraySlice<UInt8>) -> UInt32? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        let octets = parts.compactMap(octet)
        return parts.count == 4 && octets.count == 4 ? octets.reduce(0) { $0 << 8 | UInt32($1) } : nil
    }

    private static func octet(_ text: ArraySlice<UInt8>) -> UInt8? {
        // `UInt8(_:)` would take a sign and leading zeros.
        guard text.count == 1 || text.first != UInt8(ascii: "0"), text.allSatisfy(\.isASCIIDigit) else { return nil }
        return UInt8(String(decoding: text, as: UTF8.self))
    }

    private static func v6(_ text: ArraySlice<UInt8>) -> UInt128? {
        let colons = text.indices.dropLast().first {
            text[$0] == UInt8(ascii: ":") && text[$0 + 1] == UInt8(ascii: ":")
        }
        guard let colons else {
            guard let all = groups(text, mayEndInV4: true), all.count == 8 else { return nil }
            return bits(of: all)
        }
        guard let head = groups(text[..<colons], mayEndInV4: false),
            let tail = groups(text[(colons + 2)...], mayEndInV4: true),
            head.count + tail.count < 8
        else { return nil }
        return bits(of: head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    private static func bits(of groups: [UInt16]) -> UInt128 { groups.reduce(0) { $0 << 16 | UInt128($1) } }

    /// The groups between single colons, none for an empty text; an IPv4 address at the end makes two.
    private static func groups(_ text: ArraySlice<UInt8>, mayEndInV4: Bool) -> [UInt16]? {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (index, part) in parts.enumerated() {
            if let group = group(part) {
                groups.append(group)
            } else if mayEndInV4, index == parts.count - 1, let bits = v4(part) {
                groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else {
                return nil
            }
        }
        return groups
    }

    private static func group(_ text: ArraySlice<UInt8>) -> UInt16? {
        // `UInt16(_:radix:)` would take a sign.
        guard (1...4).contains(text.count), text.allSatisfy(\.isASCIIAlphanumeric) else { return nil }
        return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
    }
}

/// Who a client is for limits: its IPv4 address, or the /64 of its IPv6 address.
///
/// One subscriber has at least a /64 (RFC 6177 section 2; RFC 4291 section 2.5.4 makes the other 64 bits the
/// interface's) and may take another address in it for every request. Limits and the guard count by ``networks``,
/// since many subscribers have more.
public struct ClientAddress: Hashable, Sendable {
    /// The IPv4 address, or the first address of the /64.
    private let first: IPAddress
    private init(first: IPAddress) { self.first = first }
    public init(_ address: IPAddress) { self.init(first: address.translatedV4 ?? address.start(ofNetwork: 64)) }

    /// One of the networks that a client is in. Clients of one network share what it may have.
    public struct Network: Hashable, Sendable {
        fileprivate let first: IPAddress
        let prefixLength: Int

        /// How many times as much it may have as one client.
        ///
        /// A client with a /56 at home, or a /48 (RFC 6177), can come from 256 or 65,536 of /64, and is one client. But
        /// a phone has a /64, and as many phones of a carrier may share the /48. Eight bits more are therefore worth
        /// twice as much, and no more: even so one client gets four times what it should.
        public var allowance: Int { first.family == .v6 ? 1 << ((64 - prefixLength) / 8) : 1 }

        fileprivate var suffix: String { first.family == .v6 ? "/\(prefixLength)" : "" }
    }

    /// What limits and the guard count the client by, the narrowest first: its IPv4 address, or the /64, /56 and /48 of
    /// its IPv6 address.
    public var networks: [Network] {
        (first.family == .v6 ? [64, 56, 48] : [32]).map {
            Network(first: first.start(ofNetwork: $0), prefixLength: $0)
        }
    }
}

extension ClientAddress.Network: LosslessStringConvertible {
    /// Parses the description, whatever way the address in it is written; nil for anything else, including networks of
    /// other sizes.
    public init?(_ text: String) {
        let address = text.prefix { $0 != "/" }
        let suffix = text[address.endIndex...]
        // As it stands: the /64 of the well-known prefix of translators is no IPv4 address.
        guard let first = IPAddress(String(address)), !first.isOf6to4 else { return nil }
        let networks = ClientAddress(first: first).networks
        guard let network = networks.first(where: { $0.first == first && $0.suffix == suffix }) else { return nil }
        self = network
    }

    /// `203.0.113.7`, or `2001:db8:1::/48`.
    public var description: String { first.description + suffix }
}

extension ClientAddress: LosslessStringConvertible {
    /// Parses an address of either family as ``IPAddress/init(_:)`` does, or the key's own description; nil for
    /// anything else, including blocks other than a /64.
    public init?(_ text: String) {
        guard text.hasSuffix(Self.suffix) else {
            guard let address = IPAddress(text) else { return nil }
            self.init(address)
            return
        }
        guard let address = IPAddress(String(text.dropLast(Self.suffix.count))), address.family == .v6,
            address.start(ofNetwork: 64) == address, !address.isOf6to4
        else { return nil }
        self.init(first: address)
    }

    /// `203.0.113.7`, or `2001:db8:1:2::/64`.
    public var description: String { first.description + (first.family == .v6 ? Self.suffix : "") }
    private static let suffix = "/64"
}

extension IPAddress {
    /// The IPv4 address that a translator or a tunnel embeds in an IPv6 address.
    ///
    /// Behind a translator with the well-known prefix `64:ff9b::/96` (RFC 6052 section 2.1) all of IPv4 is in one /64,
    /// so all clients would share a key; so would they as `::203.0.113.7` (RFC 4291 section 2.5.5.1) and
    /// `::ffff:0:203.0.113.7` (RFC 2765 section 2.1). With 6to4 (`2002::/16`, RFC 3056 section 2) one IPv4 address is
    /// 65,536 of them, so one client would have many keys.
    fileprivate var translatedV4: IPAddress? {
        guard family == .v6 else { return nil }
        if isOf6to4 { return IPAddress(v4: UInt32(truncatingIfNeeded: bits >> 80)) }
        let isTranslated = [0x0064_FF9B << 64, 0xFFFF_0000, 0].contains(bits >> 32)
        // `::` and `::1` are no IPv4 addresses.
        return isTranslated && bits > 1 ? IPAddress(v4: UInt32(truncatingIfNeeded: bits)) : nil
    }

    fileprivate var isOf6to4: Bool { family == .v6 && bits >> 112 == 0x2002 }

    /// The first address of the network of IPv6 with this prefix length; an IPv4 address itself.
    fileprivate func start(ofNetwork prefixLength: Int) -> IPAddress {
        family == .v6 ? IPAddress(v6: bits & ~(UInt128.max >> prefixLength)) : self
    }
}
