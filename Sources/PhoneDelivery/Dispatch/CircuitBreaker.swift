import PhoneDomain

/// Leaves a gateway alone that has failed several times in a row, and finds out by one message at a time whether it is
/// well again. Source: https://martinfowler.com/bliki/CircuitBreaker.html.
///
/// | it is | a message | enough failures in a row | one success |
/// |---|---|---|---|
/// | closed | passes | open | counts anew |
/// | open | is turned away until the open time is over; the first after it is the probe | | |
/// | probing | is turned away | open, for twice as long | closed |
///
/// What was let pass before the breaker last changed says nothing of the gateway as it is now, and is not heard.
struct CircuitBreaker: Hashable, Sendable {
    /// What makes it open and for how long.
    struct Limits: Hashable, Sendable {
        /// So many failures in a row open it.
        let failures: Int
        /// How long it stays open, the first time and after probes that failed.
        let openTimes: BackOff
        /// How long a message waits that comes while another is the probe.
        let probeWait: Duration
    }

    /// Whether a message may go to the gateway.
    enum Admission: Hashable, Sendable {
        /// It may. What comes of it must be recorded: nothing else ends a probe.
        case admitted(Pass)
        /// It may not, and need not ask before this moment.
        case refused(until: Timestamp)
    }

    /// A message's permission, by which its outcome is told from those of others.
    struct Pass: Hashable, Sendable {
        /// Whether what comes of the message decides alone.
        let isProbe: Bool
        fileprivate let phase: Int
    }

    /// What an outcome led to.
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

    /// A closed breaker.
    init(limits: Limits) {
        self.limits = limits
    }

    mutating func admit(at now: Timestamp) -> Admission {
        switch state {
        case .closed: return .admitted(Pass(isProbe: false, phase: phase))
        case .open(let since, let length):
            // A clock that was set back must not keep a gateway out for hours.
            guard now >= since + length || now < since else { return .refused(until: since + length) }
            enter(.probing)
            return .admitted(Pass(isProbe: true, phase: phase))
        case .probing: return .refused(until: now + limits.probeWait)
        }
    }

    /// - Parameter isFault: whether the gateway is to blame for what came of the message.
    mutating func record(isFault: Bool, of pass: Pass, at now: Timestamp) -> Change? {
        guard pass.phase == phase else { return nil }
        switch state {
        case .closed(let failures):
            guard isFault, failures + 1 >= limits.failures else {
                state = .closed(failures: isFault ? failures + 1 : 0)
                return nil
            }
        case .probing:
            guard isFault else {
                openings = 0
                enter(.closed(failures: 0))
                return .closed
            }
        // Nothing passes in this phase.
        case .open: return nil
        }
        openings += 1
        let length = limits.openTimes.wait(after: openings)
        enter(.open(since: now, length: length))
        return .opened(for: length)
    }

    private mutating func enter(_ next: State) {
        state = next
        phase += 1
    }
}
