import COpenSSL

/// A key for AES-256 in Galois/counter mode (NIST SP 800-38D).
final class AES256GCM: Sendable {
    static let keyByteCount = 32
    static let nonceByteCount = 12
    static let tagByteCount = 16

    private enum Direction: Int32 {
        case decryption = 0
        case encryption = 1
    }

    // Fetched once, not by each EVP_CipherInit_ex.
    // Safe by proof: `static let` writes it once, before the first read, it is never freed, and a fetched algorithm is
    // immutable (https://docs.openssl.org/3.0/man7/crypto/, "FETCHING").
    private nonisolated(unsafe) static let algorithm = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)

    let key: SecretBytes
    private let encryptions: ContextPool
    private let decryptions: ContextPool

    init(key: SecretBytes) {
        precondition(key.count == Self.keyByteCount)
        self.key = key
        func contexts(_ direction: Direction) -> ContextPool {
            ContextPool(make: { try Self.makeContext(direction, key) }, free: { EVP_CIPHER_CTX_free($0) })
        }
        (encryptions, decryptions) = (contexts(.encryption), contexts(.decryption))
    }

    private static func makeContext(_ direction: Direction, _ key: SecretBytes) throws -> OpaquePointer {
        guard let algorithm, let context = EVP_CIPHER_CTX_new() else {
            throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_new")
        }
        let isReady = key.withUnsafeBytes { key in
            EVP_CipherInit_ex(context, algorithm, nil, key.baseAddress, nil, direction.rawValue) == 1
        }
        guard isReady else {
            EVP_CIPHER_CTX_free(context)
            throw OpenSSLError.taken(from: "EVP_CipherInit_ex")
        }
        return context
    }

    /// A random nonce, the ciphertext, which is as long as the plaintext, and the tag, one after the other.
    ///
    /// With random nonces one key may seal 2³² messages (NIST SP 800-38D, section 8.3).
    func seal(_ plaintext: [UInt8], additionalData: [UInt8], random: some RandomBytes) throws -> [UInt8] {
        var sealed = [UInt8](repeating: 0, count: Self.nonceByteCount + plaintext.count + Self.tagByteCount)
        try sealed.withUnsafeMutableBytes { sealed in
            try random.fill(UnsafeMutableRawBufferPointer(rebasing: sealed[..<Self.nonceByteCount]))
            let nonce = sealed.assumingMemoryBound(to: UInt8.self).baseAddress
            let ciphertext = nonce.map { $0 + Self.nonceByteCount }
            try encryptions.withContext { context in
                try Self.begin(context, nonce: nonce, additionalData)
                try Self.update(context, plaintext, plaintext.count, into: ciphertext)
                guard Self.finish(context) else { throw OpenSSLError.taken(from: "EVP_CipherFinal_ex") }
                let tag = ciphertext.map { $0 + plaintext.count }
                guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(Self.tagByteCount), tag) == 1 else {
                    throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_ctrl")
                }
            }
        }
        return sealed
    }

    /// The plaintext of what ``seal(_:additionalData:random:)`` returned under this key for this additional data; nil
    /// for anything else.
    func open(_ sealed: [UInt8], additionalData: [UInt8]) throws -> [UInt8]? {
        let count = sealed.count - Self.nonceByteCount - Self.tagByteCount
        guard count >= 0 else { return nil }
        var plaintext = [UInt8](repeating: 0, count: count)
        var tag = Array(sealed.suffix(Self.tagByteCount))
        let isAuthentic = try sealed.withUnsafeBufferPointer { sealed in
            try decryptions.withContext { context in
                try Self.begin(context, nonce: sealed.baseAddress, additionalData)
                let ciphertext = sealed.baseAddress.map { $0 + Self.nonceByteCount }
                try Self.update(context, ciphertext, count, into: &plaintext)
                guard EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tag.count), &tag) == 1 else {
                    throw OpenSSLError.taken(from: "EVP_CIPHER_CTX_ctrl")
                }
                return Self.finish(context)
            }
        }
        // A wrong tag is no failure of OpenSSL, but may leave a reason in the error queue.
        if !isAuthentic { ERR_clear_error() }
        return isAuthentic ? plaintext : nil
    }

    private static func begin(
        _ context: OpaquePointer,
        nonce: UnsafePointer<UInt8>?,
        _ additionalData: [UInt8]
    ) throws {
        // Algorithm, key and direction stay.
        guard EVP_CipherInit_ex(context, nil, nil, nil, nonce, -1) == 1 else {
            throw OpenSSLError.taken(from: "EVP_CipherInit_ex")
        }
        try update(context, additionalData, additionalData.count, into: nil)
    }

    /// - Parameter output: as long as the input, since GCM buffers no bytes; nil for additional data.
    private static func update(
        _ context: OpaquePointer,
        _ input: UnsafePointer<UInt8>?,
        _ inputCount: Int,
        into output: UnsafeMutablePointer<UInt8>?
    ) throws {
        var count: Int32 = 0
        guard EVP_CipherUpdate(context, output, &count, input, Int32(inputCount)) == 1, count == inputCount else {
            throw OpenSSLError.taken(from: "EVP_CipherUpdate")
        }
    }

    /// - Returns: false if this was a decryption and the tag is wrong; then its output must not be used.
    private static func finish(_ context: OpaquePointer) -> Bool {
        var none: UInt8 = 0
        var count: Int32 = 0
        return EVP_CipherFinal_ex(context, &none, &count) == 1
    }
}
