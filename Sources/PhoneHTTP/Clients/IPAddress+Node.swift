import PhoneDomain

extension IPAddress {
    /// Reads how a proxy writes whom it had a request from (RFC 7239 section 6): an IPv4 address or an IPv6 address in
    /// brackets, either with a port or without. An IPv6 address without brackets is one too, as `X-Forwarded-For` has it.
    /// Nil for `unknown`, for an obfuscated `_name`, and for anything that is no node.
    init?(node: ArraySlice<UInt8>) {
        guard node.first == UInt8(ascii: "[") else {
            let colon = node.firstIndex(of: UInt8(ascii: ":"))
            guard let colon, colon == node.lastIndex(of: UInt8(ascii: ":")) else {
                self.init(String(decoding: node, as: UTF8.self))
                return
            }
            guard Self.isPort(node[(colon + 1)...]) else { return nil }
            self.init(String(decoding: node[..<colon], as: UTF8.self))
            return
        }
        guard let bracket = node.firstIndex(of: UInt8(ascii: "]")) else { return nil }
        let inside = node[(node.startIndex + 1)..<bracket]
        let behind = node[(bracket + 1)...]
        guard inside.contains(UInt8(ascii: ":")),
            behind.isEmpty || behind.first == UInt8(ascii: ":") && Self.isPort(behind.dropFirst())
        else { return nil }
        self.init(String(decoding: inside, as: UTF8.self))
    }

    /// Whether this is a port, or a name in place of one.
    private static func isPort(_ text: ArraySlice<UInt8>) -> Bool {
        if text.first == UInt8(ascii: "_") { return text.count > 1 && text.dropFirst().allSatisfy(\.isUnreserved) }
        return (1...5).contains(text.count)
            && text.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
