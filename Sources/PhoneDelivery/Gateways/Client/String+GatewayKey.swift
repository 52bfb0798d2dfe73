extension String {
    /// Whether it may be a key that a gateway gives, or a secret: 1 to 128 printable ASCII characters without spaces.
    var isGatewayKey: Bool {
        1...128 ~= utf8.count && utf8.allSatisfy { 0x21...0x7E ~= $0 }
    }
}
