internal import COpenSSL

/// SHA-256 (FIPS 180-4).
enum SHA256 {
    static let byteCount = 32

    /// The 32 bytes that stand for the message.
    ///
    /// - Throws: ``OpenSSLError``.
    static func digest(of message: [UInt8]) throws -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        var count: UInt32 = 0
        guard EVP_Digest(message, message.count, &digest, &count, EVP_sha256(), nil) == 1, count == byteCount else {
            throw OpenSSLError.taken(from: "EVP_Digest")
        }
        return digest
    }
}
