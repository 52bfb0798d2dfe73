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
        let digits = try HMACSHA256.code(of: Array(text.utf8), key: key.digest).prefix(16)
            .map(\.hexadecimalDigits).flatMap { [$0.high, $0.low] }
        return NumberDigest(rawValue: key.id + ":" + String(decoding: digits, as: UTF8.self))
    }
}
