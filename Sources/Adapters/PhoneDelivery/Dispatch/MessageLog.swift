import CoreMetrics
import Logging
import PhoneDomain
import Telemetry

/// The log of one attempt. Most attempts write no line, so the metadata is built only for a line that is written.
struct MessageLog: Sendable {
    /// The message and its verification; nil for a message that tests a gateway.
    let claim: OutboxClaim?
    let logger: Logger

    func log(
        _ level: Logger.Level,
        _ text: @autoclosure () -> Logger.Message,
        _ metadata: @autoclosure () -> Logger.Metadata = [:]
    ) {
        guard logger.logLevel <= level else { return }
        logger.log(level: level, text(), metadata: own.merging(metadata()) { $1 })
    }

    private var own: Logger.Metadata {
        guard let claim else { return [:] }
        var metadata: Logger.Metadata = [
            "message.id": "\(claim.message.id)",
            "message.attempt": "\(claim.message.attempts)",
            "verification.id": "\(claim.verification.id)",
        ]
        if let recipient = claim.recipient { metadata["phone_number.masked"] = "\(recipient)" }
        if let change = claim.message.numberChangeID { metadata["number_change.id"] = "\(change)" }
        return metadata
    }

    func log(_ result: DeliveryResult) {
        switch result {
        case .sent(let gateway, let messageID?, _, _, _, _, _):
            log(.info, "A message was sent", ["gateway.name": "\(gateway)", "gateway.message_id": "\(messageID)"])
        case .sent(let gateway, nil, _, _, _, _, _): log(.info, "A message was sent", ["gateway.name": "\(gateway)"])
        case .unknown(let gateway, let failure):
            log(
                .warning,
                "A message may have been sent",
                ["gateway.name": "\(gateway)", "message.failure": "\(failure)"]
            )
        case .retry(let moment, _, _):
            log(.info, "A message will be retried", ["message.next_attempt_at": "\(moment)"])
        case .postponed(let moment, _), .waiting(let moment):
            log(.debug, "A message waits for a gateway", ["message.next_attempt_at": "\(moment)"])
        case .failed(let failure, _): log(.warning, "A message failed", ["message.failure": "\(failure)"])
        case .dropped: log(.debug, "A message was dropped: its code has expired or is no longer needed")
        case .withheld: log(.info, "A message was withheld")
        }
    }

    /// Reports that a message has another wording than was asked for. It quotes neither.
    func warn(of fault: MessageWordingError, in wording: MessageWording?) {
        let reason: StaticString =
            switch fault {
            case .templateUnknown: "there is no such template"
            case .translationMissing: "the template has no text in that language"
            case .substitutionsMissing: "a variable of the template has no value"
            case .valueRefused: "a value is not allowed in a message"
            case .tooLong: "it is too long"
            }
        var metadata: Logger.Metadata = ["reason": "\(reason)"]
        if let template = wording?.template { metadata["template.name"] = "\(template)" }
        log(.warning, "The requested template cannot be used; the default text is sent", metadata)
    }
}

/// What becomes of messages, counted by gateway.
struct MessageMetrics: Sendable {
    private let delays: Timer
    /// By gateway and outcome, since a look-up in the registry costs more than the counting.
    private let counters: [String: [String: Counter]]

    init(gateways: [String], _ factory: any MetricsFactory) {
        delays = Timer(label: "phoneproof_message_delay_seconds", factory: factory)
        let label = "phoneproof_messages_total"
        var counters = factory.counters(label, of: gateways, ["sent", "unknown", "delivered", "undelivered"])
        counters["none"] = factory.counters(
            label,
            of: "none",
            ["failed", "dropped", "withheld", "retried", "postponed"]
        )
        self.counters = counters
    }

    private func increment(_ outcome: String, _ gateway: String = "none") {
        counters[gateway]?[outcome]?.increment()
    }

    func count(_ result: DeliveryResult, delay: Duration) {
        switch result {
        case .sent(let gateway, _, _, _, _, _, _):
            increment("sent", gateway)
            delays.record(delay)
        case .unknown(let gateway, _): increment("unknown", gateway)
        case .retry: increment("retried")
        case .postponed, .waiting: increment("postponed")
        case .failed: increment("failed")
        case .dropped: increment("dropped")
        case .withheld: increment("withheld")
        }
    }

    func count(_ outcome: RecordReceipt.Outcome, by gateway: String) {
        increment(outcome == .delivered ? "delivered" : "undelivered", gateway)
    }
}

extension MetricsFactory {
    /// A counter for each outcome at a gateway: all of them, so that each is at 0 from the start, from which rates are
    /// calculated.
    func counters(_ label: String, of gateway: String, _ outcomes: [String]) -> [String: Counter] {
        outcomes.reduce(into: [:]) { counters, outcome in
            let dimensions = [("gateway", gateway), ("outcome", outcome)]
            counters[outcome] = Counter(label: label, dimensions: dimensions, factory: self)
        }
    }

    func counters(_ label: String, of gateways: [String], _ outcomes: [String]) -> [String: [String: Counter]] {
        gateways.reduce(into: [:]) { $0[$1] = counters(label, of: $1, outcomes) }
    }
}
