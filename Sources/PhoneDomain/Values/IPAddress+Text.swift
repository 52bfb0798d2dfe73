extension IPAddress: LosslessStringConvertible {
    /// Reads an address as RFC 4291 section 2.2 or, for IPv4, RFC 6943 section 3.1.1 (its strict form) has it; nil for
    /// anything else. A zone (`%eth0`), a port, brackets and white space are no part of an address.
    ///
    /// No octet of IPv4 has a leading zero: some programs read `010` as eight, others as ten.
    public init?(_ text: String) {
        let bytes = Array(text.utf8.prefix(Self.longestText + 1))
        guard bytes.count <= Self.longestText else { return nil }
        if let bits = Self.v4(bytes[...]) {
            self.init(v4: bits)
        } else if let bits = Self.v6(bytes[...]) {
            self.init(v6: bits)
        } else {
            return nil
        }
    }

    /// The text of RFC 5952 section 4: `203.0.113.7`, `2001:db8::1`.
    public var description: String {
        switch family {
        case .v4: (0..<4).map { String(UInt8(truncatingIfNeeded: bits >> (24 - 8 * $0))) }.joined(separator: ".")
        case .v6: Self.text(of: (0..<8).map { UInt16(truncatingIfNeeded: bits >> (112 - 16 * $0)) })
        }
    }

    /// The length of `0000:0000:0000:0000:0000:ffff:255.255.255.255`: INET6_ADDRSTRLEN (RFC 3493 section 6.6) without
    /// the byte that ends a text in C.
    private static let longestText = 45

    private static func text(of groups: [UInt16]) -> String {
        let texts = groups.map { String($0, radix: 16) }
        guard let zeros = longestZeros(in: groups) else { return texts.joined(separator: ":") }
        return texts[..<zeros.lowerBound].joined(separator: ":") + "::"
            + texts[zeros.upperBound...].joined(separator: ":")
    }

    /// The groups that `::` stands for: the longest run of zeros, the first of several, and never one group alone
    /// (RFC 5952 section 4.2).
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
        guard parts.count == 4 else { return nil }
        var bits: UInt32 = 0
        for part in parts {
            guard let octet = octet(part) else { return nil }
            bits = bits << 8 | UInt32(octet)
        }
        return bits
    }

    private static func octet(_ text: ArraySlice<UInt8>) -> UInt8? {
        guard (1...3).contains(text.count), text.count == 1 || text.first != UInt8(ascii: "0") else { return nil }
        var value = 0
        for byte in text {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return UInt8(exactly: value)
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

    private static func bits(of groups: [UInt16]) -> UInt128 {
        groups.reduce(0) { $0 << 16 | UInt128($1) }
    }

    /// The groups between single colons, none for an empty text; an IPv4 address at the end makes two of them.
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
        guard (1...4).contains(text.count), text.allSatisfy(\.isHexadecimalDigit) else { return nil }
        return UInt16(String(decoding: text, as: UTF8.self), radix: 16)
    }
}

extension UInt8 {
    fileprivate var isHexadecimalDigit: Bool {
        let lowerCased = self | 0x20
        return (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self)
            || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(lowerCased)
    }
}
