/// What some records of a kind come to: how many they are, and the sum of their digests.
public struct RecordTally: Hashable, Sendable {
    /// How many.
    public private(set) var count = 0
    /// The sum of their digests, in no order.
    public private(set) var digest = RecordDigest.none

    /// Of no records.
    public init() {}

    /// Counts these too.
    ///
    /// - Throws: what the digester throws.
    public mutating func add(_ records: [StoredRecord], by digester: any RecordDigester) throws {
        for record in records { digest.add(try digester.digest(of: record.encoded)) }
        count += records.count
    }
}
