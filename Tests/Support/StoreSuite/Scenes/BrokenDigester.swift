import PhoneDomain

/// A digester that always fails.
struct BrokenDigester: NumberDigester {
    struct Failure: Error {}

    func digest(of text: String) throws -> NumberDigest { throw Failure() }

    func digests(of text: String) throws -> [NumberDigest] { throw Failure() }
}
