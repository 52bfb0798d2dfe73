import CoreMetrics
import PhoneDomain

/// Counts what becomes of messages.
struct DeliveryMeasures: Sendable {
    /// What becomes of a message, now or later.
    private enum Outcome: String, CaseIterable {
        case sent, unknown, delivered, undelivered
        // No gateway has it.
        case failed, dropped, withheld, retried, postponed
    }

    private static let noGateway = "none"

    private let outcomes: [String: [Outcome: Counter]]
    private let delays: Timer

    /// - Parameters:
    ///   - gateways: the names of all that there are.
    ///   - factory: keeps what is counted.
    init(gateways: [String], _ factory: any MetricsFactory) {
        func counters(_ gateway: String, _ outcomes: [Outcome]) -> (String, [Outcome: Counter]) {
            let counters = outcomes.map { outcome in
                let dimensions = [("gateway", gateway), ("outcome", outcome.rawValue)]
                return (outcome, Counter(label: "phoneproof_messages_total", dimensions: dimensions, factory: factory))
            }
            return (gateway, Dictionary(counters, uniquingKeysWith: { first, _ in first }))
        }
        let all =
            gateways.map { counters($0, [.sent, .unknown, .delivered, .undelivered]) }
            + [counters(Self.noGateway, [.failed, .dropped, .withheld, .retried, .postponed])]
        outcomes = Dictionary(all, uniquingKeysWith: { first, _ in first })
        delays = Timer(label: "phoneproof_message_delay_seconds", factory: factory)
    }

    /// Counts what came of an attempt, once it is recorded.
    ///
    /// - Parameter delay: how long ago the message was asked for.
    func count(_ result: DeliveryResult, delay: Duration) {
        switch result {
        case .sent(let gateway, _, _):
            count(.sent, gateway)
            delays.record(delay)
        case .unknown(let gateway, _): count(.unknown, gateway)
        case .retry: count(.retried)
        case .postponed: count(.postponed)
        case .failed: count(.failed)
        case .dropped: count(.dropped)
        case .withheld: count(.withheld)
        }
    }

    /// Counts what a gateway said later.
    func count(_ outcome: RecordReceipt.Outcome, by gateway: String) {
        switch outcome {
        case .delivered: count(.delivered, gateway)
        case .undelivered: count(.undelivered, gateway)
        }
    }

    private func count(_ outcome: Outcome, _ gateway: String = noGateway) {
        outcomes[gateway]?[outcome]?.increment()
    }
}
