import PhoneAdministration
import PhoneDomain
import PhoneSignup

/// A circuit breaker (https://martinfowler.com/bliki/CircuitBreaker.html): it admits nothing to a receiver that has
/// failed several times in a row, except one probe at a time.
///
/// | state | a message | enough failures in a row | one success |
/// |---|---|---|---|
/// | closed | is admitted | open | the count starts again |
/// | open | is refused until the open time ends; the first after it is the probe | | |
/// | probing | is refused | open, for twice as long | closed |
///
/// A result of what was admitted before the last change of state is outdated, and is ignored.
struct CircuitBreaker: Hashable, Sendable {
    struct Limits: Hashable, Sendable {
        let failures: Int
        /// How long it stays open, the first time and after failed probes.
        let openTimes: Backoff
        /// How long a message waits that comes during a probe.
        let probeWait: Duration
    }

    enum Admission: Hashable, Sendable {
        /// The result must be recorded, or the permit released: nothing else ends a probe.
        case admitted(Permit)
        /// It need not ask again before this moment.
        case refused(until: Timestamp)
    }

    /// A message's permission, which assigns its result to a state.
    struct Permit: Hashable, Sendable {
        let isProbe: Bool
        fileprivate let phase: Int
    }

    enum Change: Hashable, Sendable {
        case opened(for: Duration)
        case closed
    }

    private enum State: Hashable, Sendable {
        case closed(failures: Int)
        case open(since: Timestamp, length: Duration)
        case probing
    }

    private let limits: Limits
    private var state = State.closed(failures: 0)
    /// How often it opened since it was last closed.
    private var openings = 0
    private var phase = 0

    init(limits: Limits) { self.limits = limits }

    var shownState: GatewayHealth.Breaker {
        switch state {
        case .closed: .closed
        case .open: .open
        case .probing: .probing
        }
    }

    /// When it admits a probe; nil if it is not open.
    var nextTry: Timestamp? {
        if case .open(let since, let length) = state { since + length } else { nil }
    }

    mutating func admit(at now: Timestamp) -> Admission {
        switch state {
        case .closed: return .admitted(Permit(isProbe: false, phase: phase))
        case .open(let since, let length):
            // A clock that was set back must not keep it open for hours.
            guard now >= since + length || now < since else { return .refused(until: since + length) }
            enter(.probing)
            return .admitted(Permit(isProbe: true, phase: phase))
        case .probing: return .refused(until: now + limits.probeWait)
        }
    }

    mutating func record(isFault: Bool, of permit: Permit, at now: Timestamp) -> Change? {
        guard permit.phase == phase else { return nil }
        switch state {
        case .closed(let failures):
            guard isFault, failures + 1 >= limits.failures else {
                state = .closed(failures: isFault ? failures + 1 : 0)
                return nil
            }
        case .probing:
            guard isFault else { return close() }
        // Nothing is admitted in this phase.
        case .open: return nil
        }
        openings += 1
        let length = limits.openTimes.wait(after: openings)
        enter(.open(since: now, length: length))
        return .opened(for: length)
    }

    /// Closes it, since the receiver is known to work.
    mutating func close() -> Change? {
        if case .closed = state { return nil }
        openings = 0
        enter(.closed(failures: 0))
        return .closed
    }

    /// Ends a probe that found nothing to send, as if it had not been admitted: the next one is the probe.
    mutating func release(_ permit: Permit, at now: Timestamp) {
        guard permit.isProbe, permit.phase == phase else { return }
        enter(.open(since: now, length: .zero))
    }

    private mutating func enter(_ next: State) {
        state = next
        phase += 1
    }
}
