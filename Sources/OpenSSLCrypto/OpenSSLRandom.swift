internal import COpenSSL

/// OpenSSL's generator for secrets: the calling thread's private DRBG, seeded by the operating system and kept apart
/// from the one whose output is shown to the world (RAND_priv_bytes(3); NIST SP 800-90A).
public struct OpenSSLRandom: RandomBytes {
    /// The generator, which needs no setting up.
    public init() {}

    /// Fills the whole buffer.
    ///
    /// - Throws: ``OpenSSLError`` if the generator cannot be seeded.
    public func fill(_ buffer: UnsafeMutableRawBufferPointer) throws {
        let bytes = buffer.assumingMemoryBound(to: UInt8.self)
        // A strength of 0 leaves it to OpenSSL, as RAND_priv_bytes does.
        guard RAND_priv_bytes_ex(nil, bytes.baseAddress, bytes.count, 0) == 1 else {
            throw OpenSSLError.taken(from: "RAND_priv_bytes_ex")
        }
    }
}
