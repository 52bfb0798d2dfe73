import CoreMetrics
import Logging
import PhoneDomain
import Telemetry

struct ResultRecorder: Sendable {
    let inFlight: InFlightMessages
    let receipts: ReceiptRecorder
    var limits = LimitPolicy.none

    private var store: StoreRetry { receipts.store }

    typealias Unrecorded = (claim: OutboxClaim, result: DeliveryResult)

    /// Records the results of a batch in one transaction, and by themselves those for which that fails.
    ///
    /// - Returns: each result, or the store's error if it could not be recorded; that message waits for its next claim.
    func record(_ batch: [Unrecorded]) async -> [Result<DeliveryResult, any Error>] {
        let counted =
            batch.count > 1 ? try? await store.attempt { try await receipts.outbox.settle(commands(batch)) } : nil
        return await withTaskGroup { group in
            var recorded: [Result<DeliveryResult, any Error>] = []
            for (index, (claim, result)) in batch.enumerated() {
                if counted?[index] == true {
                    TraceParent.$current.withValue(claim.message.traceParent) {
                        finish(claim, result, isCounted: true)
                    }
                    recorded.append(.success(result))
                } else {
                    group.addTask {
                        await TraceParent.$current.withValue(claim.message.traceParent) {
                            await self.record(result, of: claim)
                        }
                    }
                }
            }
            return await group.reduce(into: recorded) { $0.append($1) }
        }
    }

    private func commands(_ batch: [Unrecorded]) -> [SettleMessage] {
        let now = store.wallClock.now()
        return batch.map { claim, result in
            SettleMessage(
                id: claim.message.id,
                attempt: inFlight.newest(claim).message.attempts,
                result: result,
                limits: limits,
                now: now
            )
        }
    }

    private func record(_ result: DeliveryResult, of claim: OutboxClaim) async -> Result<DeliveryResult, any Error> {
        do {
            finish(claim, result, isCounted: try await settle(claim, result))
            return .success(result)
        } catch {
            inFlight.suspend(claim, at: store.wallClock.now())
            let log = MessageLog(claim: claim, logger: receipts.logger)
            log.log(.error, "The result of a message could not be recorded", ["error": "\(error)"])
            return .failure(error)
        }
    }

    private func finish(_ claim: OutboxClaim, _ result: DeliveryResult, isCounted: Bool) {
        let log = MessageLog(claim: claim, logger: receipts.logger)
        if isCounted {
            report(result, claim, log)
        } else {
            log.log(.warning, "A message was claimed again before its attempt ended")
        }
        inFlight.remove(claim)
    }

    private func report(_ result: DeliveryResult, _ claim: OutboxClaim, _ log: MessageLog) {
        receipts.metrics.count(result, delay: store.wallClock.now() - claim.message.createdAt)
        log.log(result)
        if case .sent(let gateway, let messageID?, let outcome?, _, _, _) = result {
            receipts.report(outcome, of: messageID, by: gateway)
        }
    }

    /// - Returns: whether the attempt still counted.
    private func settle(_ claim: OutboxClaim, _ result: DeliveryResult) async throws -> Bool {
        try await store.duringLease(until: { inFlight.newest(claim).leaseEnd }) {
            while true {
                let attempt = inFlight.newest(claim).message.attempts
                let now = store.wallClock.now()
                let counted = try await receipts.outbox.settle([
                    SettleMessage(id: claim.message.id, attempt: attempt, result: result, limits: limits, now: now)
                ])[0]
                // This dispatcher itself may have claimed it again a moment ago.
                if counted || inFlight.newest(claim).message.attempts == attempt { return counted }
            }
        }
    }
}

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
        case .sent(let gateway, let messageID?, _, _, _, _):
            log(.info, "A message was sent", ["gateway.name": "\(gateway)", "gateway.message_id": "\(messageID)"])
        case .sent(let gateway, nil, _, _, _, _): log(.info, "A message was sent", ["gateway.name": "\(gateway)"])
        case .unknown(let gateway, let failure):
            log(
                .warning,
                "A message may have been sent",
                ["gateway.name": "\(gateway)", "message.failure": "\(failure)"]
            )
        case .retry(let moment, _, _):
            log(.info, "A message will be retried", ["message.next_attempt_at": "\(moment)"])
        case .postponed(let moment):
            log(.debug, "A message waits for a gateway", ["message.next_attempt_at": "\(moment)"])
        case .failed(let failure): log(.warning, "A message failed", ["message.failure": "\(failure)"])
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

struct MessageMetrics: Sendable {
    private let factory: any MetricsFactory
    private let delays: Timer

    init(gateways: [String], _ factory: any MetricsFactory) {
        self.factory = factory
        delays = Timer(label: "phoneproof_message_delay_seconds", factory: factory)
        // At 0 from the start, from which rates are calculated.
        for gateway in gateways {
            for outcome in ["sent", "unknown", "delivered", "undelivered"] { _ = messages(outcome, gateway) }
        }
        for outcome in ["failed", "dropped", "withheld", "retried", "postponed"] { _ = messages(outcome) }
    }

    private func messages(_ outcome: String, _ gateway: String = "none") -> Counter {
        let dimensions = [("gateway", gateway), ("outcome", outcome)]
        return Counter(label: "phoneproof_messages_total", dimensions: dimensions, factory: factory)
    }

    func count(_ result: DeliveryResult, delay: Duration) {
        switch result {
        case .sent(let gateway, _, _, _, _, _):
            messages("sent", gateway).increment()
            delays.record(delay)
        case .unknown(let gateway, _): messages("unknown", gateway).increment()
        case .retry: messages("retried").increment()
        case .postponed: messages("postponed").increment()
        case .failed: messages("failed").increment()
        case .dropped: messages("dropped").increment()
        case .withheld: messages("withheld").increment()
        }
    }

    func count(_ outcome: RecordReceipt.Outcome, by gateway: String) {
        messages(outcome == .delivered ? "delivered" : "undelivered", gateway).increment()
    }
}
