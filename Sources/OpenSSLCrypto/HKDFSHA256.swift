internal import COpenSSL

/// HKDF with SHA-256 and no salt (RFC 5869): makes keys for several uses out of one, none of which tells of another.
enum HKDFSHA256 {
    /// The key of so many bytes for the use that `info` names.
    ///
    /// - Throws: ``OpenSSLError``, also for more than 255 × 32 bytes, which is all that RFC 5869 can give.
    static func derive(from key: SecretBytes, info: String, count: Int) throws -> SecretBytes {
        guard let context = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, nil) else {
            throw OpenSSLError.taken(from: "EVP_PKEY_CTX_new_id")
        }
        defer { EVP_PKEY_CTX_free(context) }
        let info = Array(info.utf8)
        return try SecretBytes(count: count) { derived in
            var derivedCount = count
            guard
                EVP_PKEY_derive_init(context) == 1,
                EVP_PKEY_CTX_set_hkdf_md(context, EVP_sha256()) == 1,
                key.withUnsafeBytes({ key in
                    EVP_PKEY_CTX_set1_hkdf_key(context, key.baseAddress, Int32(key.count))
                }) == 1,
                EVP_PKEY_CTX_add1_hkdf_info(context, info, Int32(info.count)) == 1,
                EVP_PKEY_derive(context, derived.baseAddress, &derivedCount) == 1,
                derivedCount == count
            else { throw OpenSSLError.taken(from: "EVP_PKEY_derive") }
        }
    }
}
