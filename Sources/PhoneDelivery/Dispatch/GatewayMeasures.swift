import CoreMetrics

/// Counts what a gateway answers and measures how long it takes.
struct GatewayMeasures: Sendable {
    private let accepted: Counter
    private let failures: [String: Counter]
    private let durations: Timer
    private let circuit: Meter

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

    func count(_ answer: Result<GatewayReceipt, GatewayFailure>, took duration: Duration) {
        switch answer {
        case .success: accepted.increment()
        case .failure(let failure): failures[failure.kind.description]?.increment()
        }
        durations.record(duration)
    }

    func show(_ change: CircuitBreaker.Change) {
        switch change {
        case .opened: circuit.set(1)
        case .closed: circuit.set(0)
        }
    }
}
