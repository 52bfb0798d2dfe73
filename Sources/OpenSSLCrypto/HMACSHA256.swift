internal import COpenSSL

/// HMAC with SHA-256 (RFC 2104, FIPS 180-4).
enum HMACSHA256 {
    /// The 32 bytes that authenticate the message under the key.
    ///
    /// - Throws: ``OpenSSLError``.
    static func code(of message: [UInt8], key: SecretBytes) throws -> [UInt8] {
        try key.withUnsafeBytes { key in
            var code = [UInt8](repeating: 0, count: SHA256.byteCount)
            var count: UInt32 = 0
            guard
                HMAC(EVP_sha256(), key.baseAddress, Int32(key.count), message, message.count, &code, &count) != nil,
                count == SHA256.byteCount
            else { throw OpenSSLError.taken(from: "HMAC") }
            return code
        }
    }
}
