/// Makes the digests by which the audit trail knows numbers. Every method throws if the cryptography fails.
public protocol NumberDigester: Sendable {
    /// The digest of this number or prefix under the newest key.
    func digest(of text: String) throws -> NumberDigest

    /// Its digests under every key that is known, the newest first: what is older than the newest key has an older one.
    func digests(of text: String) throws -> [NumberDigest]
}
