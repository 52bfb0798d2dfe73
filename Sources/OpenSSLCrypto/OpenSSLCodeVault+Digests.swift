public import PhoneDomain

extension OpenSSLCodeVault: NumberDigester {
    /// The digest of this number or prefix under the newest key, 128 bits of an HMAC-SHA-256.
    ///
    /// - Throws: ``OpenSSLError``.
    public func digest(of text: String) throws -> NumberDigest {
        try digest(of: text, key: newestKey)
    }

    /// Its digests under every key, the newest first.
    ///
    /// - Throws: ``OpenSSLError``.
    public func digests(of text: String) throws -> [NumberDigest] {
        try keys.all.map { try digest(of: text, key: $0) }
    }

    private func digest(of text: String, key: CodeKey) throws -> NumberDigest {
        var digits: [UInt8] = []
        digits.reserveCapacity(32)
        for byte in try key.digest.code(of: Array(text.utf8)).prefix(16) {
            let (high, low) = byte.hexadecimalDigits
            digits.append(high)
            digits.append(low)
        }
        return NumberDigest(rawValue: key.id + ":" + String(decoding: digits, as: UTF8.self))
    }
}
