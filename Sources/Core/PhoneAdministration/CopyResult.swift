import PhoneDomain

/// 256 bits that stand for a record, or for an unordered set of them.
public struct RecordDigest: Hashable, Sendable {
    private var high: UInt128
    private var low: UInt128
    public static let none = RecordDigest(high: 0, low: 0)
    private init(high: UInt128, low: UInt128) { (self.high, self.low) = (high, low) }

    /// Reads a SHA-256, big-endian.
    public init(bytes: [UInt8]) {
        self.init(high: Self.number(bytes.prefix(16)), low: Self.number(bytes.dropFirst(16)))
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt128 { bytes.reduce(0) { $0 << 8 | UInt128($1) } }

    /// What ``description`` gives; nil for other texts.
    public init?(_ text: String) {
        guard let high = UInt128(text.prefix(32), radix: 16), let low = UInt128(text.suffix(32), radix: 16) else {
            return nil
        }
        self.init(high: high, low: low)
        guard description == text else { return nil }
    }

    /// Adds another, modulo 2^256: the sum is independent of the order, and a record that is there twice does not
    /// vanish as it would by XOR. It detects mistakes; an attacker who may choose many records can make two sets of
    /// them with the same sum (Bellare and Micciancio, "A new paradigm for collision-free hashing", 1997, section 5).
    public mutating func add(_ other: RecordDigest) {
        let (sum, carries) = low.addingReportingOverflow(other.low)
        low = sum
        high = high &+ other.high &+ (carries ? 1 : 0)
    }
}

extension RecordDigest: CustomStringConvertible {
    /// 64 lower-case hexadecimal digits.
    public var description: String {
        [high >> 64, high, low >> 64, low].map { UInt64(truncatingIfNeeded: $0).paddedHexadecimal }.joined()
    }
}

public struct RecordTally: Hashable, Sendable {
    public private(set) var count = 0
    public private(set) var digest = RecordDigest.none
    public init(count: Int = 0, digest: RecordDigest = .none) { (self.count, self.digest) = (count, digest) }

    public mutating func add(_ digest: RecordDigest) {
        count += 1
        self.digest.add(digest)
    }
}

public struct CopyProgress: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
        /// The target is not empty and is compared with the source.
        case comparing
        case copying, checking
        /// A backup is compared with what it says of itself.
        case verifying
    }

    public let phase: Phase
    /// The name of their table.
    public let kind: String
    public let done: Int
    public let total: Int

    public init(phase: Phase, kind: String, done: Int, total: Int) {
        (self.phase, self.kind, self.done, self.total) = (phase, kind, done, total)
    }
}

public struct CopyResult: Hashable, Sendable {
    public struct Part: Hashable, Sendable {
        /// The name of their table.
        public let kind: String
        /// The source's, while they were copied.
        public let copied: RecordTally
        /// The source's, read again at the end.
        public let source: RecordTally
        /// The target's, read at the end.
        public let target: RecordTally

        public init(kind: String, copied: RecordTally, source: RecordTally, target: RecordTally) {
            (self.kind, self.copied, self.source, self.target) = (kind, copied, source, target)
        }

        public var hasSourceChanged: Bool { copied != source }
        public var isSame: Bool { copied == target }
    }

    /// Every kind, in order.
    public let parts: [Part]
    /// How many records the target contained before, from an unfinished copy.
    public let heldBefore: Int
    public init(parts: [Part], heldBefore: Int) { (self.parts, self.heldBefore) = (parts, heldBefore) }

    public var isComplete: Bool { parts.allSatisfy { $0.isSame && !$0.hasSourceChanged } }
}
