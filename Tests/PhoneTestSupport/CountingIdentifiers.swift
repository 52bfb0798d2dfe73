public import PhoneDomain
import Synchronization

/// Identifiers that count up from 1, so that a test can write them down.
public final class CountingIdentifiers: IdentifierSource {
    private let last = Mutex<UInt64>(0)

    /// Begins at 1.
    public init() {}

    public func makeBits() -> (UInt64, UInt64) {
        last.withLock { count in
            count += 1
            return (0, count)
        }
    }
}
