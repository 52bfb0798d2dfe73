public import PhoneDomain
import Synchronization

/// Identifiers that count up, from 1 unless a test has two of them, so that it can write them down.
public final class CountingIdentifiers: IdentifierSource {
    private let last: Mutex<UInt64>

    /// Begins with the one after this.
    public init(after last: UInt64 = 0) {
        self.last = Mutex(last)
    }

    /// How many were made, and the last of them.
    public var count: UInt64 { last.withLock { $0 } }

    public func makeBits() -> (UInt64, UInt64) {
        last.withLock { count in
            count += 1
            return (0, count)
        }
    }
}
