public import PhoneDomain

/// Makes tokens on OpenSSL and tells them by their SHA-256. It may be used by any number of threads at once.
public struct OpenSSLTokenVault: TokenVault {
    private static let byteCount = 32

    private let random: any RandomBytes

    /// A vault that draws tokens from this source.
    public init(random: any RandomBytes = OpenSSLRandom()) {
        self.random = random
    }

    /// A token of 256 random bits: the prefix and 43 characters of base64url (RFC 4648, section 5) without padding.
    ///
    /// - Throws: what the random source throws.
    public func makeToken(prefix: String) throws -> SecretToken {
        SecretToken(prefix + (try random.bytes(Self.byteCount)).base64URL)
    }

    /// The SHA-256 of the token's text, prefix and all.
    ///
    /// - Throws: ``OpenSSLError``.
    public func digest(of token: SecretToken) throws -> [UInt8] {
        try SHA256.digest(of: Array(token.text.utf8))
    }

    /// Whether the digest was made of this token, in constant time.
    ///
    /// - Throws: ``OpenSSLError``.
    public func matches(_ token: SecretToken, digest: [UInt8]) throws -> Bool {
        try self.digest(of: token).equalsInConstantTime(digest)
    }
}
