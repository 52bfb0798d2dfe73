import COpenSSL

/// AES-256 in Galois/counter mode (NIST SP 800-38D).
enum AES256GCM {
    static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    /// A random nonce, the ciphertext, which is as long as the plaintext, and the tag, one after the other.
    ///
    /// With random nonces one key may seal 2³² messages (NIST SP 800-38D, section 8.3).
    static func seal(
        _ plaintext: [UInt8],
        additionalData: [UInt8],
        key: SecretBytes,
        random: some RandomBytes
    ) throws -> [UInt8] {
        let nonce = try random.bytes(nonceByteCount)
        let operation = try Operation(.encryption, key: key, nonce: nonce)
        try operation.authenticate(additionalData)
        let ciphertext = try operation.update(plaintext)
        guard operation.finish() else { throw OpenSSLError.taken(from: "EVP_CipherFinal_ex") }
        return nonce + ciphertext + (try operation.tag())
    }

    /// The plaintext of what ``seal(_:additionalData:key:random:)`` returned under this key for this additional data; nil
    /// for anything else.
    static func open(_ sealed: [UInt8], additionalData: [UInt8], key: SecretBytes) throws -> [UInt8]? {
        guard sealed.count >= nonceByteCount + tagByteCount else { return nil }
        let nonce = Array(sealed.prefix(nonceByteCount))
        let operation = try Operation(.decryption, key: key, nonce: nonce)
        try operation.authenticate(additionalData)
        let plaintext = try operation.update(Array(sealed.dropFirst(nonceByteCount).dropLast(tagByteCount)))
        try operation.expect(tag: Array(sealed.suffix(tagByteCount)))
        guard operation.finish() else {
            // A wrong tag is no failure of OpenSSL, but may leave a reason in the error queue.
            ERR_clear_error()
            return nil
        }
        return plaintext
    }
}

extension AES256GCM {
    /// One encryption or decryption. The output of a decryption must not be used before ``finish()`` has returned true.
    private struct Operation: ~Copyable {
        enum Direction: Int32 {
            case decryption = 0
            case encryption = 1
        }

        // Fetched once, not by each EVP_CipherInit_ex.
        // Safe by proof: `static let` writes it once, before the first read, it is never freed, and a fetched algorithm is
        // immutable (https://docs.openssl.org/3.0/man7/crypto/, "FETCHING").
        private nonisolated(unsafe) static let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

        private let context: OpaquePointer

        init(_ direction: Direction, key: SecretBytes, nonce: [UInt8]) throws {
            precondition(key.count == keyByteCount && nonce.count == nonceByteCount)
            guard let algorithm = Self.algorithm else { throw OpenSSLError.taken(from: "EVP_CIPHER_fetch") }
            guard let context = EVP_CIPHER_CTX_new() else { throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_new") }
            let started = key.withUnsafeBytes { key in
                EVP_CipherInit_ex(context, algorithm, nil, key.baseAddress, nonce, direction.rawValue)
            }
            guard started == 1 else {
                EVP_CIPHER_CTX_free(context)
                throw OpenSSLError.taken(from: "EVP_CipherInit_ex")
            }
            self.context = context
        }

        deinit { EVP_CIPHER_CTX_free(context) }

        func authenticate(_ data: [UInt8]) throws {
            var count: Int32 = 0
            guard EVP_CipherUpdate(context, nil, &count, data, Int32(data.count)) == 1 else {
                throw OpenSSLError.taken(from: "EVP_CipherUpdate")
            }
        }

        /// The input encrypted or decrypted; GCM buffers no bytes.
        func update(_ input: [UInt8]) throws -> [UInt8] {
            var output = [UInt8](repeating: 0, count: input.count)
            var count: Int32 = 0
            guard EVP_CipherUpdate(context, &output, &count, input, Int32(input.count)) == 1, count == input.count
            else {
                throw OpenSSLError.taken(from: "EVP_CipherUpdate")
            }
            return output
        }

        /// - Returns: false if this was a decryption and the tag is wrong.
        func finish() -> Bool {
            var none: UInt8 = 0
            var count: Int32 = 0
            return EVP_CipherFinal_ex(context, &none, &count) == 1
        }

        /// After ``finish()``.
        func tag() throws -> [UInt8] {
            var tag = [UInt8](repeating: 0, count: tagByteCount)
            guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagByteCount), &tag) == 1 else {
                throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_ctrl")
            }
            return tag
        }

        func expect(tag: [UInt8]) throws {
            var tag = tag
            guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
                throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_ctrl")
            }
        }
    }
}
