public import PhoneDomain
public import PhoneSignup
import Synchronization

/// The machine's clock, set right by the server's, which every instance sees: machines whose clocks differ agree on when
/// a lease, a limit or a code ends.
///
/// The clocks are compared whenever a connection is opened, and by ``PostgreSQLStore/compareClocks()``.
public final class ServerClock: WallClock {
    /// What takes longer says too little of the time, or the machine's clock was set meanwhile.
    private static let longestAnswer: Duration = .seconds(1)
    static let query = Query.once("SELECT CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)")

    private let known = Mutex<Duration?>(nil)

    /// How far the server's clock is ahead of the machine's.
    public var difference: Duration { known.withLock { $0 ?? .zero } }

    public func now() -> Timestamp { .now + difference }

    /// - Parameters:
    ///   - time: the answer to ``query``.
    ///   - asked: when that was asked, and `answered` when the answer came, by the machine's clock.
    func compare(_ time: SQLValue?, asked: Timestamp, answered: Timestamp = .now) {
        guard case .integer(let milliseconds) = time, asked <= answered else { return }
        known.withLock { known in
            // The first one is better than none.
            guard known == nil || answered - asked <= Self.longestAnswer else { return }
            known = Timestamp(milliseconds: milliseconds) - asked - (answered - asked) / 2
        }
    }
}
