internal import COpenSSL

/// A key of HMAC with SHA-256 (RFC 2104, FIPS 180-4), set up once: to look the algorithms up and to hash the key takes several
/// times as long as a short message.
// Sendable by proof: `template` is written by the initialiser alone, before anyone else can hold the object, and afterwards
// only handed to EVP_MAC_CTX_dup, which takes it as const and reads it.
final class HMACSHA256: @unchecked Sendable {
    // Safe by proof: `static let` writes it once, before anyone reads it, nobody frees it, and an algorithm that was fetched
    // does not change (https://docs.openssl.org/3.0/man7/crypto/, "FETCHING").
    private nonisolated(unsafe) static let algorithm = EVP_MAC_fetch(nil, "HMAC", nil)

    private let template: OpaquePointer

    /// - Throws: ``OpenSSLError``.
    init(key: SecretBytes) throws {
        guard let algorithm = Self.algorithm, let template = EVP_MAC_CTX_new(algorithm) else {
            throw OpenSSLError.taken(from: "EVP_MAC_CTX_new")
        }
        self.template = template
        var digest = Array("SHA256\0".utf8CString.dropLast())
        let isReady = digest.withUnsafeMutableBufferPointer { digest in
            let parameters = [
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return key.withUnsafeBytes { EVP_MAC_init(template, $0.baseAddress, $0.count, parameters) == 1 }
        }
        guard isReady else { throw OpenSSLError.taken(from: "EVP_MAC_init") }
    }

    deinit {
        // It wipes the key.
        EVP_MAC_CTX_free(template)
    }

    /// The 32 bytes that authenticate the message.
    ///
    /// - Throws: ``OpenSSLError``.
    func code(of message: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MAC_CTX_dup(template) else { throw OpenSSLError.taken(from: "EVP_MAC_CTX_dup") }
        defer { EVP_MAC_CTX_free(context) }
        return try [UInt8](unsafeUninitializedCapacity: SHA256.byteCount) { buffer, count in
            guard EVP_MAC_update(context, message, message.count) == 1,
                EVP_MAC_final(context, buffer.baseAddress, &count, buffer.count) == 1, count == SHA256.byteCount
            else {
                count = 0
                throw OpenSSLError.taken(from: "EVP_MAC_final")
            }
        }
    }

    /// The 32 bytes that authenticate one message under a key that is not used again.
    ///
    /// - Throws: ``OpenSSLError``.
    static func code(of message: [UInt8], key: SecretBytes) throws -> [UInt8] {
        try HMACSHA256(key: key).code(of: message)
    }
}
