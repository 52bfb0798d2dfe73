/// The digests and keyed digests by which gateways know who asks them, and by which they are known when they report back.
/// Which of them a gateway wants, and over what, is the gateway's.
public protocol RequestAuthenticator: Sendable {
    /// SHA-256 (FIPS 180-4): 32 bytes.
    ///
    /// - Throws: if the cryptography fails; nothing must be sent or believed then.
    func sha256(of message: [UInt8]) throws -> [UInt8]

    /// HMAC with SHA-256 (RFC 2104): 32 bytes.
    ///
    /// - Throws: if the cryptography fails; nothing must be sent or believed then.
    func hmacSHA256(of message: [UInt8], key: [UInt8]) throws -> [UInt8]

    /// HMAC with SHA-1 (RFC 2104): 20 bytes. As a keyed digest it still holds (RFC 6194 section 3.3); for Twilio, which has
    /// no other.
    ///
    /// - Throws: if the cryptography fails; nothing must be sent or believed then.
    func hmacSHA1(of message: [UInt8], key: [UInt8]) throws -> [UInt8]

    /// Whether both are the same, in a time that depends on the lengths alone.
    func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool
}
