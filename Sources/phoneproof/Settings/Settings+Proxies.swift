import PhoneHTTP

extension Settings {
    /// Whose word on where a request came from is taken.
    static func proxies(_ reader: inout SettingsReader) throws(SettingsError) -> TrustedProxies {
        let key = "server.trusted_proxies"
        let texts = try reader.list(
            key,
            default: [],
            wanted: "addresses or CIDR blocks with no bit set behind their prefix, such as 127.0.0.1, 10.0.0.0/8 or "
                + "fd00::/8, or none"
        ) { $0 == "none" || AddressBlock($0) != nil ? $0 : nil }
        guard !texts.contains("none") || texts == ["none"] else {
            throw SettingsError(
                key: key,
                value: texts.joined(separator: ", "),
                wanted: "none alone, or a list without it"
            )
        }
        let blocks = texts.compactMap { AddressBlock($0) }
        if let block = blocks.first(where: \.isEverything) {
            throw SettingsError(
                "\(key) has \(block): whoever calls could choose the address that limits know it by; name the proxies alone"
            )
        }
        let header = try reader.value(
            "server.forwarded_header",
            default: ForwardedHeader.xForwardedFor,
            wanted: ForwardedHeader.allCases.map(\.rawValue).joined(separator: " or "),
            ForwardedHeader.init
        )
        return TrustedProxies(blocks: blocks, header: header)
    }
}
