import CoreMetrics
import Logging
import PhoneDomain
import Synchronization

/// A gateway behind its circuit breaker, shared by all messages on their way.
final class GuardedGateway: Sendable {
    let gateway: any MessageGateway
    private let breaker: Mutex<CircuitBreaker>
    let measures: GatewayMeasures
    private let logger: Logger

    init(
        _ gateway: any MessageGateway,
        limits: CircuitBreaker.Limits,
        metrics: any MetricsFactory,
        logger: Logger
    ) {
        self.gateway = gateway
        measures = GatewayMeasures(gateway.name, metrics)
        breaker = Mutex(CircuitBreaker(limits: limits))
        var logger = logger
        logger[metadataKey: "gateway.name"] = "\(gateway.name)"
        self.logger = logger
    }

    func admit(at now: Timestamp) -> CircuitBreaker.Admission {
        let admission = breaker.withLock { $0.admit(at: now) }
        if case .admitted(let pass) = admission, pass.isProbe {
            logger.notice("A gateway that was left alone is tried with one message")
        }
        return admission
    }

    func record(
        _ answer: Result<GatewayReceipt, GatewayFailure>,
        of pass: CircuitBreaker.Pass,
        at now: Timestamp
    ) {
        let change = breaker.withLock { breaker in
            let change = breaker.record(isFault: answer.isFault, of: pass, at: now)
            // In here, so that of two changes at once the later one is shown.
            if let change { measures.show(change) }
            return change
        }
        switch change {
        case .opened(let length):
            logger.warning("A gateway fails and is left alone", metadata: ["gateway.open_for": "\(length)"])
        case .closed: logger.notice("A gateway takes messages again")
        case nil: break
        }
    }
}

extension Result<GatewayReceipt, GatewayFailure> {
    /// Whether the gateway is to blame. One that gives a clear answer about this message is well, even where the answer is
    /// no: a country that it does not serve is no reason to keep the others waiting.
    fileprivate var isFault: Bool {
        if case .failure(let failure) = self { failure.isFault } else { false }
    }
}
