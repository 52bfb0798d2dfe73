import CoreMetrics
import Logging
import PhoneAdministration
import PhoneDomain
import Synchronization

/// A gateway with its circuit breaker, shared by all messages.
final class GuardedGateway: Sendable {
    let gateway: any MessageGateway
    private let breaker: Mutex<CircuitBreaker>
    private let answers = Mutex((all: 0, accepted: 0))
    let metrics: GatewayMetrics
    private let logger: Logger

    init(_ gateway: any MessageGateway, limits: CircuitBreaker.Limits, _ environment: DeliveryEnvironment) {
        self.gateway = gateway
        self.metrics = GatewayMetrics(gateway.name, environment.metrics)
        breaker = Mutex(CircuitBreaker(limits: limits))
        var logger = environment.logger
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

    var health: GatewayHealth {
        let answers = answers.withLock { $0 }
        let state = breaker.withLock { $0.shownState }
        return GatewayHealth(breaker: state, requests: answers.all, accepted: answers.accepted)
    }

    func record(
        _ response: Result<GatewayReceipt, GatewayFailure>,
        of permit: CircuitBreaker.Permit,
        at now: Timestamp
    ) {
        // A clear response about this message is none of the gateway's faults, even a refusal: a country that is not
        // served is no reason to delay the other messages.
        answers.withLock {
            $0.all += 1
            if case .success = response { $0.accepted += 1 }
        }
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

struct GatewayMetrics: Sendable {
    private let gateway: String
    private let factory: any MetricsFactory
    private let durations: Timer
    let circuit: Meter

    init(_ gateway: String, _ factory: any MetricsFactory) {
        (self.gateway, self.factory) = (gateway, factory)
        let label = [("gateway", gateway)]
        durations = Timer(label: "phoneproof_gateway_request_duration_seconds", dimensions: label, factory: factory)
        circuit = Meter(label: "phoneproof_gateway_circuit_open", dimensions: label, factory: factory)
        circuit.set(0)
        // At 0 from the start, from which rates are calculated.
        for outcome in ["accepted", "retry", "failover", "ambiguous", "refused"] { _ = requests(outcome) }
    }

    private func requests(_ outcome: String) -> Counter {
        let dimensions = [("gateway", gateway), ("outcome", outcome)]
        return Counter(label: "phoneproof_gateway_requests_total", dimensions: dimensions, factory: factory)
    }

    func count(_ response: Result<GatewayReceipt, GatewayFailure>, took duration: Duration) {
        let outcome = if case .failure(let failure) = response { failure.kind.rawValue } else { "accepted" }
        requests(outcome).increment()
        durations.record(duration)
    }
}
