import COpenSSL
public import CoreEncodings
import PhoneAccounts

/// RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3) by keys of 2048 bits, the least that it allows, and enough for
/// what is valid for an hour. The exponent is 65537.
enum RS256 {
    static let modulusByteCount = 256

    struct PublicKey: VerifyingKey {
        /// RFC 8017 appendix A.1.1: an RSAPublicKey, up to and with the byte that makes the modulus positive; and its
        /// exponent.
        private static let prefix: [UInt8] = [0x30, 0x82, 0x01, 0x0A, 0x02, 0x82, 0x01, 0x01, 0x00]
        private static let suffix: [UInt8] = [0x02, 0x03, 0x01, 0x00, 0x01]

        /// The modulus, big-endian.
        let bytes: [UInt8]
        let key: EVPKey

        /// nil unless this is an odd number of 2048 bits.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == modulusByteCount, bytes[0] >= 0x80, bytes[modulusByteCount - 1] & 1 == 1 else {
                return nil
            }
            let der = Self.prefix + bytes + Self.suffix
            let key = der.withUnsafeBufferPointer { der in
                var next = der.baseAddress
                return EVPKey(d2i_PublicKey(EVP_PKEY_RSA, nil, &next, der.count))
            }
            guard let key else { return nil }
            (self.bytes, self.key) = (bytes, key)
        }

        var numbers: [String: String] { ["n": bytes.base64URL, "e": "AQAB"] }

        func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
    }

    struct PrivateKey: SigningPrivateKey {
        let publicKey: any VerifyingKey
        private let key: EVPKey

        /// - Parameter bytes: an RSAPrivateKey in DER (RFC 8017 appendix A.1.2).
        /// - Returns: nil unless its primes make a modulus of 2048 bits.
        init?(_ bytes: [UInt8]) {
            let der = SecretBytes(copying: bytes)
            let decoded = der.withUnsafeBytes { der in
                var next = der.baseAddress
                return EVPKey(d2i_PrivateKey(EVP_PKEY_RSA, nil, &next, der.count))
            }
            guard let decoded, let publicKey = decoded.modulus.flatMap(PublicKey.init) else {
                ERR_clear_error()
                return nil
            }
            (self.publicKey, key) = (publicKey, decoded)
        }

        /// About 0.3 ms of processor time.
        func sign(_ message: [UInt8]) throws -> [UInt8] { try key.sign(message) }

        /// The bytes of a new key, by OpenSSL's own random generator; some 100 ms of processor time.
        static func generate() throws -> [UInt8] {
            guard let context = EVP_PKEY_CTX_new_from_name(nil, "RSA", nil) else {
                throw OpenSSLError.taken(from: "EVP_PKEY_CTX_new_from_name")
            }
            defer { EVP_PKEY_CTX_free(context) }
            var made: OpaquePointer?
            guard EVP_PKEY_keygen_init(context) == 1,
                EVP_PKEY_CTX_set_rsa_keygen_bits(context, Int32(modulusByteCount * 8)) == 1,
                EVP_PKEY_generate(context, &made) == 1, let key = EVPKey(made)
            else { throw OpenSSLError.taken(from: "EVP_PKEY_generate") }
            var bytes = [UInt8](repeating: 0, count: Int(max(0, i2d_PrivateKey(key.pointer, nil))))
            let count = bytes.withUnsafeMutableBufferPointer { buffer in
                var next = buffer.baseAddress
                return i2d_PrivateKey(key.pointer, &next)
            }
            guard count > 0 else { throw OpenSSLError.taken(from: "i2d_PrivateKey") }
            return bytes
        }
    }
}

extension EVPKey {
    fileprivate var modulus: [UInt8]? {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(pointer, OSSL_PKEY_PARAM_RSA_N, &number) == 1, let number else { return nil }
        defer { BN_free(number) }
        let width = Int32(RS256.modulusByteCount)
        var bytes = [UInt8](repeating: 0, count: RS256.modulusByteCount)
        return BN_bn2binpad(number, &bytes, width) == width ? bytes : nil
    }
}

/// Signs JSON Web Tokens by RS256 with a key of somebody else's.
public struct JSONWebTokenSigner: Sendable {
    private let key: RS256.PrivateKey

    /// Nil unless the text is one private RSA key of 2048 bits in PEM (RFC 7468), not encrypted.
    public init?(pem: String) {
        let lines = pem.split(whereSeparator: \.isNewline).map { $0.filter { !$0.isWhitespace } }.filter { !$0.isEmpty }
        guard lines.count > 2, lines[0].hasPrefix("-----BEGIN"), lines[lines.count - 1].hasPrefix("-----END") else {
            return nil
        }
        var base64 = Array(lines[1..<(lines.count - 1)].joined().utf8)
        while base64.last == UInt8(ascii: "=") { base64.removeLast() }
        guard let der = [UInt8](.base64, base64), let key = RS256.PrivateKey(der) else { return nil }
        self.key = key
    }

    /// - Throws: if the cryptography fails.
    public func sign(header: JSON, claims: JSON) async throws -> String {
        try await SigningAlgorithm.rs256.offEventLoop {
            try JSONWebToken.sign(header: header, claims: claims, by: key)
        }
    }
}
