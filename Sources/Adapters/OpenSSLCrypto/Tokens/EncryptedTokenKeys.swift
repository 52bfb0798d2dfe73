import COpenSSL
package import CoreEncodings

/// A token that only we can read (JWE, RFC 7516), with one within that its maker has signed: A256KW, A256GCM and ES256, and
/// nothing else.
package struct EncryptedTokenKeys: Sendable {
    private let unwrapping: SecretBytes
    private let verifying: EVPKey
    /// The longest token, in bytes.
    private static let longest = 12_288

    /// - Parameters:
    ///   - unwrapping: an AES key of 32 bytes.
    ///   - verifying: the maker's key on P-256, as a SubjectPublicKeyInfo in DER.
    package init?(unwrapping: [UInt8], verifying: [UInt8]) {
        let key = verifying.withUnsafeBufferPointer { der in
            var next = der.baseAddress
            return EVPKey(d2i_PUBKEY(nil, &next, der.count))
        }
        guard unwrapping.count == AES256GCM.keyByteCount, let key, key.point != nil else { return nil }
        (self.unwrapping, self.verifying) = (SecretBytes(copying: unwrapping), key)
    }

    /// What the maker has signed; nil for anything else.
    package func claims(in text: String) -> [String: JSON]? {
        let text = text.utf8
        guard text.count <= Self.longest else { return nil }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 5, let header = [UInt8](.base64URL, parts[0]).flatMap(JSONWebToken.members),
            header["alg"]?.string == "A256KW", header["enc"]?.string == "A256GCM", header["crit"] == nil,
            header["zip"] == nil, let wrapped = [UInt8](.base64URL, parts[1]),
            let nonce = [UInt8](.base64URL, parts[2]), nonce.count == AES256GCM.nonceByteCount,
            let ciphertext = [UInt8](.base64URL, parts[3]), let tag = [UInt8](.base64URL, parts[4]),
            tag.count == AES256GCM.tagByteCount, let key = unwrap(wrapped),
            let signed = try? AES256GCM(key: key).open(nonce + ciphertext + tag, additionalData: Array(parts[0])),
            let token = String(validating: signed, as: UTF8.self).flatMap(JSONWebToken.init),
            token.header["alg"]?.string == "ES256", token.header["crit"] == nil,
            let signature = ES256.derSignature(token.signature),
            verifying.verifies(signature, of: token.signingInput)
        else { return nil }
        return JSONWebToken.members(of: token.payload)
    }

    /// AES key wrap (RFC 3394), which says whether the key is the right one.
    private func unwrap(_ wrapped: [UInt8]) -> SecretBytes? {
        guard wrapped.count == AES256GCM.keyByteCount + 8, let context = EVP_CIPHER_CTX_new() else { return nil }
        defer {
            EVP_CIPHER_CTX_free(context)
            ERR_clear_error()
        }
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW)
        var (key, count) = ([UInt8](repeating: 0, count: wrapped.count), Int32(0))
        let isRight = unwrapping.withUnsafeBytes { bytes in
            EVP_DecryptInit_ex(context, EVP_aes_256_wrap(), nil, bytes.baseAddress, nil) == 1
        }
        guard isRight, EVP_DecryptUpdate(context, &key, &count, wrapped, Int32(wrapped.count)) == 1,
            count == AES256GCM.keyByteCount
        else { return nil }
        return SecretBytes(copying: Array(key.prefix(AES256GCM.keyByteCount)))
    }
}
