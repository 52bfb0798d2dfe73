import Synchronization

/// A wall clock that does not jump because the machine's clock does.
///
/// Between steps it follows the machine's clock. When that one steps, which shows in comparison with a clock that
/// nobody sets, it goes on as if nothing had happened, and takes the step only after it has lasted:
///
/// - a minute, if it led forward: a clock that was ahead for a moment purges nothing, ends no lockout and no lease and
///   kills no code;
/// - a quarter of an hour, if it led back: by then every code that was out has died in its time, and its death is on
///   record (``StoreMaintenance/close(at:limit:)``).
///
/// Each process has one of its own, and begins with whatever the machine's clock shows then.
public final class SteadyClock: WallClock {
    /// How far the two may part without that being a step: the machine's clock is steered (slewed) all the time.
    public static let tolerance: Duration = .seconds(1)
    /// How long a step forward must last.
    public static let forwardDelay: Duration = .seconds(60)
    /// How long a step back must last: longer than any code lives, and by more than ``Verification`` forgives a clock.
    public static let backwardDelay: Duration = .seconds(900)

    private enum Step: Equatable {
        case forward
        case backward
    }

    private struct State {
        /// What the wall clock showed when `elapsed` was zero, as this clock has it.
        var origin: Timestamp
        var step: (direction: Step, since: Duration)?
    }

    private let wall: any WallClock
    private let elapsed: @Sendable () -> Duration
    private let state: Mutex<State>

    /// A clock that follows another.
    ///
    /// - Parameters:
    ///   - wall: the machine's clock.
    ///   - elapsed: the time since some moment, sleep of the machine included, by a clock that nobody sets.
    public init(_ wall: any WallClock, elapsed: @escaping @Sendable () -> Duration) {
        self.wall = wall
        self.elapsed = elapsed
        state = Mutex(State(origin: wall.now() - elapsed()))
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
            let direction: Step = difference > .zero ? .forward : .backward
            let delay = direction == .forward ? Self.forwardDelay : Self.backwardDelay
            let since = state.step.flatMap { $0.direction == direction ? $0.since : nil } ?? elapsed
            guard elapsed - since >= delay else {
                state.step = (direction, since)
                return steady
            }
            state = State(origin: shown - elapsed)
            return shown
        }
    }
}
