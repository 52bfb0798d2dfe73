public import PhoneSignup
import Synchronization

public protocol WallClock: Sendable {
    func now() -> Timestamp
}

/// A wall clock that does not jump because the machine's clock does.
///
/// Between steps it follows the machine's clock. When that clock steps, as seen by comparison with a monotonic clock,
/// this one continues as if nothing had happened, and takes the step only after it has lasted:
/// - a minute, for a step forward: a clock that is ahead for a moment purges nothing, and ends no lockout, no lease and
///   no code;
/// - a quarter of an hour, for a step back: by then every code in flight has expired, and its expiry is recorded
///   (``StoreMaintenance/close(at:limit:)``).
///
/// Each process has its own, which begins with what the machine's clock shows then.
public final class SteadyClock: WallClock {
    /// How far the clocks may differ without that being a step: the machine's clock is slewed all the time.
    public static let tolerance: Duration = .seconds(1)
    public static let forwardDelay: Duration = .seconds(60)
    /// How long a step back must last: longer than any code lives, by more than ``Verification`` tolerates of a clock.
    public static let backwardDelay: Duration = .seconds(900)

    private struct State {
        /// What the wall clock showed when `elapsed` was zero, according to this clock.
        var origin: Timestamp
        var step: (isForward: Bool, since: Duration)?
    }

    private let wall: any WallClock
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// `elapsed` is the time since some moment by a clock that nobody sets, sleep of the machine included.
    public init(_ wall: any WallClock, elapsed: @escaping @Sendable () -> Duration) {
        (self.wall, self.elapsed) = (wall, elapsed)
        state = Mutex(State(origin: wall.now() - elapsed()))
    }

    /// How far the machine's clock is ahead of this one after a step that this one has not taken yet; negative if it is
    /// behind; nil without one.
    public var pendingStep: Duration? {
        let now = now()
        let difference = wall.now() - now
        return state.withLock { $0.step == nil ? nil : difference }
    }

    public func now() -> Timestamp {
        state.withLock { state in
            let (shown, elapsed) = (wall.now(), elapsed())
            let steady = state.origin + elapsed
            let difference = shown - steady
            guard difference > Self.tolerance || difference < .zero - Self.tolerance else {
                state = State(origin: shown - elapsed)
                return shown
            }
            let isForward = difference > .zero
            let delay = isForward ? Self.forwardDelay : Self.backwardDelay
            let since = state.step.flatMap { $0.isForward == isForward ? $0.since : nil } ?? elapsed
            guard elapsed - since >= delay else {
                state.step = (isForward, since)
                return steady
            }
            state = State(origin: shown - elapsed)
            return shown
        }
    }
}

extension Duration {
    /// How far requests may be applied out of the order of their times, with every clock right: a request that
    /// waited for the store, or whose process was paused, keeps the time of its arrival. None waits as long as this.
    ///
    /// A stored time further ahead of a request than this was written by a clock that ran ahead.
    static let longestDelay: Duration = .seconds(60)
}

/// Waits for work as long as `limit`, or until the caller is cancelled. Then it cancels the work and does not wait for
/// its end: what asks the system's resolver, or a store that hangs, goes on by itself.
///
/// - Returns: nil if the work had not ended by then.
package func withTimeout<Value: Sendable, Failure: Error>(
    _ limit: Duration,
    on clock: any Clock<Duration>,
    _ work: @escaping @Sendable () async throws(Failure) -> Value
) async throws(Failure) -> Value? {
    let (results, continuation) = AsyncStream.makeStream(of: Result<Value, Failure>?.self)
    let working = Task {
        do throws(Failure) {
            continuation.yield(.success(try await work()))
        } catch {
            continuation.yield(.failure(error))
        }
    }
    let limiting = Task {
        try? await clock.sleep(for: limit)
        continuation.yield(nil)
    }
    defer {
        working.cancel()
        limiting.cancel()
    }
    for await result in results { return try result?.get() }
    return nil
}
