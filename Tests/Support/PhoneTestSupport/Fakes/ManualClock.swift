public import PhoneDomain
public import PhoneSignup
import Synchronization

/// A clock that stands still until a test moves it.
public final class ManualClock: WallClock {
    private let moment: Mutex<Timestamp>

    /// A clock that stands at this moment; by default 2026-01-01T00:00:00Z.
    public init(_ moment: Timestamp = Timestamp(seconds: 1_767_225_600)) {
        self.moment = Mutex(moment)
    }

    public func now() -> Timestamp {
        moment.withLock { $0 }
    }

    /// Moves the clock forward, or back by a negative duration.
    public func advance(by duration: Duration) {
        moment.withLock { $0 = $0 + duration }
    }
}
