import COpenSSL

/// A private or public key of OpenSSL, which signs and verifies with SHA-256; freed with its last reference.
// Sendable by proof: the pointer is constant and private keys and public keys alike are only read after the
// initialiser. OpenSSL allows that from several threads at once; what it caches in the object it guards by its own lock
// (https://docs.openssl.org/3.0/man7/openssl-threads/).
final class EVPKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// Takes ownership. If it is nil, so is the result, and the error queue is cleared.
    init?(_ pointer: OpaquePointer?) {
        guard let pointer else {
            ERR_clear_error()
            return nil
        }
        self.pointer = pointer
    }

    deinit { EVP_PKEY_free(pointer) }

    /// Whether the private key is in range and belongs to the public key (EVP_PKEY_check(3)).
    var isConsistent: Bool {
        guard let context = EVP_PKEY_CTX_new_from_pkey(nil, pointer, nil) else { return false }
        defer { EVP_PKEY_CTX_free(context) }
        return EVP_PKEY_check(context) == 1
    }

    /// The signature as OpenSSL has it.
    func sign(_ message: [UInt8]) throws -> [UInt8] {
        guard let context = EVP_MD_CTX_new() else { throw OpenSSLError.taken(from: "EVP_MD_CTX_new") }
        defer { EVP_MD_CTX_free(context) }
        var signature = [UInt8](repeating: 0, count: Int(EVP_PKEY_get_size(pointer)))
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer) == 1,
            EVP_DigestSign(context, &signature, &count, message, message.count) == 1
        else { throw OpenSSLError.taken(from: "EVP_DigestSign") }
        return Array(signature.prefix(count))
    }

    /// Whether the private key has signed the message; false as well for a signature of another form.
    func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        guard let context = EVP_MD_CTX_new() else { return false }
        defer {
            EVP_MD_CTX_free(context)
            // A wrong signature is no failure of OpenSSL, but may leave a reason in the error queue.
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}

/// A public key of somebody's device, which signs by ES256 or RS256.
public struct DevicePublicKey: Sendable {
    private let key: EVPKey

    /// Nil unless these are the two coordinates of a point on P-256, 32 bytes each.
    public init?(es256 coordinates: [UInt8]) {
        guard let key = ES256.PublicKey(coordinates)?.key else { return nil }
        self.key = key
    }

    /// Nil unless this is a modulus of 2048 bits; the exponent is 65537.
    public init?(rs256 modulus: [UInt8]) {
        guard let key = RS256.PublicKey(modulus)?.key else { return nil }
        self.key = key
    }

    /// - Parameter signature: by ES256 in DER (RFC 3279 section 2.2.3), as WebAuthn has it.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool { key.verifies(signature, of: message) }
}
