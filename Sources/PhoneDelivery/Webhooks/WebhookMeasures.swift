import CoreMetrics
import PhoneDomain

/// Counts what the receiver of events answers, and measures how long it takes.
struct WebhookMeasures: Sendable {
    private enum Outcome: String, CaseIterable {
        case accepted, refused, failed
    }

    private let answers: [Event.Kind: [Outcome: Counter]]
    private let durations: Timer

    init(_ factory: any MetricsFactory) {
        let all = Event.Kind.allCases.map { kind in
            let counters = Outcome.allCases.map { outcome in
                let dimensions = [("event", kind.rawValue), ("outcome", outcome.rawValue)]
                let label = "phoneproof_webhook_requests_total"
                return (outcome, Counter(label: label, dimensions: dimensions, factory: factory))
            }
            return (kind, Dictionary(counters, uniquingKeysWith: { first, _ in first }))
        }
        answers = Dictionary(all, uniquingKeysWith: { first, _ in first })
        durations = Timer(label: "phoneproof_webhook_request_duration_seconds", factory: factory)
    }

    func count(_ answer: WebhookAnswer, to kind: Event.Kind, took duration: Duration) {
        let outcome: Outcome = answer.isSuccess ? .accepted : answer.isFault ? .failed : .refused
        answers[kind]?[outcome]?.increment()
        durations.record(duration)
    }
}
