/// 256 bits that stand for a record, or for many in no order.
public struct RecordDigest: Hashable, Sendable {
    private var high: UInt128
    private var low: UInt128

    /// Of no record.
    public static let none = RecordDigest(high: 0, low: 0)

    private init(high: UInt128, low: UInt128) {
        self.high = high
        self.low = low
    }

    /// The digest of these 32 bytes, the first being the highest; nil for any other number of them.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 32 else { return nil }
        self.init(high: Self.number(bytes[..<16]), low: Self.number(bytes[16...]))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt128 {
        bytes.reduce(0) { $0 << 8 | UInt128($1) }
    }

    /// Adds another, modulo 2^256: the sum is the same in whatever order they come, and a record that is there twice does
    /// not vanish as it would by XOR. It shows mistakes; somebody who may choose many records can make two sets of them
    /// with the same sum (Bellare and Micciancio, "A new paradigm for collision-free hashing", 1997, section 5).
    public mutating func add(_ other: RecordDigest) {
        let (sum, carries) = low.addingReportingOverflow(other.low)
        low = sum
        high = high &+ other.high &+ (carries ? 1 : 0)
    }
}

extension RecordDigest: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String {
        [high, low].map { number in
            let digits = String(number, radix: 16)
            return String(repeating: "0", count: 32 - digits.count) + digits
        }
        .joined()
    }
}

/// What some records of a kind come to: how many they are, and the sum of their digests.
public struct RecordTally: Hashable, Sendable {
    /// How many.
    public private(set) var count = 0
    /// The sum of their digests, in no order.
    public private(set) var digest = RecordDigest.none

    /// Of no records.
    public init() {}

    /// Counts one more record, which has this digest.
    public mutating func add(_ digest: RecordDigest) {
        count += 1
        self.digest.add(digest)
    }
}
