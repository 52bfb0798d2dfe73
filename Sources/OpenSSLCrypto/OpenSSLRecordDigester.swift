public import PhoneDomain

/// Digests of records by SHA-256.
public struct OpenSSLRecordDigester: RecordDigester {
    /// A digester, which needs no key.
    public init() {}

    public func digest(of bytes: [UInt8]) throws -> RecordDigest {
        let digest = try SHA256.digest(of: bytes)
        guard let digest = RecordDigest(bytes: digest) else { throw OpenSSLError.taken(from: "EVP_Digest") }
        return digest
    }
}
