/// A keyed digest of a number or of its prefix: the same number gives the same digest, and nobody without the key can
/// tell which number that is. By it the audit trail is joined and searched without holding a number.
public struct NumberDigest: Hashable, Sendable, CustomStringConvertible {
    /// The text form, as stores keep it: the name of the key, a colon, and the digest.
    public let description: String

    /// The digest whose text form a store kept.
    public init(rawValue: String) {
        description = rawValue
    }
}
