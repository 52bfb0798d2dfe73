public import PhoneDomain

/// A digester without cryptography: every digest is what it is the digest of. For tests of the rules.
public struct PlainNumberDigester: NumberDigester {
    /// A digester.
    public init() {}

    public func digest(of text: String) -> NumberDigest {
        NumberDigest(rawValue: "test:" + text)
    }

    public func digests(of text: String) -> [NumberDigest] {
        [digest(of: text)]
    }
}
