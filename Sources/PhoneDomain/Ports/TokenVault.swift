/// Makes tokens and tells whether one is the one that a digest was made of.
public protocol TokenVault: Sendable {
    /// A token of 256 random bits.
    ///
    /// - Parameter prefix: what its text begins with, by which a reader and a secret scanner know its kind.
    /// - Throws: if the random source fails.
    func makeToken(prefix: String) throws -> SecretToken

    /// The digest to keep. A token is random enough that no key and no salt are needed.
    ///
    /// - Throws: if the cryptography fails.
    func digest(of token: SecretToken) throws -> [UInt8]

    /// Whether the digest was made of this token, in constant time.
    ///
    /// - Throws: if the cryptography fails.
    func matches(_ token: SecretToken, digest: [UInt8]) throws -> Bool
}
