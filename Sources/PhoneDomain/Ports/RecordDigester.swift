/// Makes digests of records, to tell whether two stores hold the same. Every method throws if the cryptography fails.
public protocol RecordDigester: Sendable {
    /// The digest of these bytes, the same for the same bytes, and different for any others that occur.
    func digest(of bytes: [UInt8]) throws -> RecordDigest
}
