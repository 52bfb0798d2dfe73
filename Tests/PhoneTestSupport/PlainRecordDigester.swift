public import PhoneAdministration

/// Digests without cryptography, good enough for tests: FNV-1a of 64 bits from four bases.
public struct PlainRecordDigester: RecordDigester {
    /// A digester.
    public init() {}

    public func digest(of bytes: [UInt8]) throws -> RecordDigest {
        var digest: [UInt8] = []
        for base in UInt64(1)...4 {
            let hash = bytes.reduce(0xCBF2_9CE4_8422_2325 &* base) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
            withUnsafeBytes(of: hash.bigEndian) { digest.append(contentsOf: $0) }
        }
        guard let digest = RecordDigest(bytes: digest) else { throw NotADigest() }
        return digest
    }

    private struct NotADigest: Error {}
}
