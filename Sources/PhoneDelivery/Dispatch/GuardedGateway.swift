import CoreMetrics
import Logging
import PhoneDomain
import Synchronization

/// A gateway with its circuit breaker, shared by all messages.
final class GuardedGateway: Sendable {
    let gateway: any MessageGateway
    private let breaker: Mutex<CircuitBreaker>
    let metrics: GatewayMetrics
    private let logger: Logger

    init(_ gateway: any MessageGateway, limits: CircuitBreaker.Limits, metrics: any MetricsFactory, logger: Logger) {
        self.gateway = gateway
        self.metrics = GatewayMetrics(gateway.name, metrics)
        breaker = Mutex(CircuitBreaker(limits: limits))
        var logger = logger
        logger[metadataKey: "gateway.name"] = "\(gateway.name)"
        self.logger = logger
    }

    func admit(at now: Timestamp) -> CircuitBreaker.Admission {
        let admission = breaker.withLock { $0.admit(at: now) }
        if case .admitted(let permit) = admission, permit.isProbe {
            logger.notice("A gateway is probed with one message")
        }
        return admission
    }

    func record(
        _ response: Result<GatewayReceipt, GatewayFailure>,
        of permit: CircuitBreaker.Permit,
        at now: Timestamp
    ) {
        // A clear response about this message is none of the gateway's faults, even a refusal: a country that is not
        // served is no reason to delay the other messages.
        let isFault = if case .failure(let failure) = response { failure.isFault } else { false }
        let change = breaker.withLock { breaker in
            let change = breaker.record(isFault: isFault, of: permit, at: now)
            // Under the lock, so that of two simultaneous changes the later one is shown.
            if let change { metrics.circuit.set(change == .closed ? 0 : 1) }
            return change
        }
        switch change {
        case .opened(let length):
            logger.warning("A gateway's circuit breaker opened", metadata: ["gateway.open_for": "\(length)"])
        case .closed: logger.notice("A gateway's circuit breaker closed")
        case nil: break
        }
    }
}

/// A circuit breaker (https://martinfowler.com/bliki/CircuitBreaker.html): it admits nothing to a receiver that has failed several
/// times in a row, except one probe at a time.
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
            guard isFault else {
                openings = 0
                enter(.closed(failures: 0))
                return .closed
            }
        // Nothing is admitted in this phase.
        case .open: return nil
        }
        openings += 1
        let length = limits.openTimes.wait(after: openings)
        enter(.open(since: now, length: length))
        return .opened(for: length)
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

struct GatewayMetrics: Sendable {
    private let accepted: Counter
    private let failures: [String: Counter]
    private let durations: Timer
    let circuit: Meter

    init(_ gateway: String, _ factory: any MetricsFactory) {
        func counter(_ outcome: String) -> Counter {
            Counter(
                label: "phoneproof_gateway_requests_total",
                dimensions: [("gateway", gateway), ("outcome", outcome)],
                factory: factory
            )
        }
        accepted = counter("accepted")
        let kinds = ["retry", "failover", "ambiguous", "refused"]
        failures = Dictionary(kinds.map { ($0, counter($0)) }, uniquingKeysWith: { first, _ in first })
        let gateway = [("gateway", gateway)]
        durations = Timer(label: "phoneproof_gateway_request_duration_seconds", dimensions: gateway, factory: factory)
        circuit = Meter(label: "phoneproof_gateway_circuit_open", dimensions: gateway, factory: factory)
        circuit.set(0)
    }

    func count(_ response: Result<GatewayReceipt, GatewayFailure>, took duration: Duration) {
        switch response {
        case .success: accepted.increment()
        case .failure(let failure): failures[failure.kind.rawValue]?.increment()
        }
        durations.record(duration)
    }
}
