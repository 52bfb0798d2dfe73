import Logging
import PhoneDomain

/// Records what gateways say, after they took messages, of how these fared.
///
/// A receipt may come before the outbox knows that the message was sent, so one that fits no message is tried a few times
/// more. A store that is down is asked until it is up again.
struct ReceiptRecorder: Sendable {
    /// With the standard back-off the last of them is after 15 seconds.
    private static let tries = 5
    /// How many wait for the store at the same time; the others wait with their gateway.
    private static let room = 1000

    let store: any OutboxStore
    let gateways: [any MessageGateway]
    let backOff: BackOff
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let logger: Logger
    let storeHealth: StoreHealth
    let measures: DeliveryMeasures

    /// Records receipts until the task is cancelled or no gateway will say more.
    func run() async {
        await withDiscardingTaskGroup { group in
            for gateway in gateways {
                guard let receipts = gateway.receipts else { continue }
                group.addTask { await self.record(receipts, of: gateway.name) }
            }
        }
    }

    private func record(_ receipts: AsyncStream<DeliveryReceipt>, of gateway: String) async {
        let shift = Shift(limit: Self.room)
        let signal = WakeSignal()
        await withDiscardingTaskGroup { group in
            for await receipt in receipts {
                shift.begin(1)
                group.addTask {
                    await self.record(receipt, of: gateway)
                    if shift.finishOne() { signal.wake() }
                }
                while case let seen = signal.count, shift.room == 0, !Task.isCancelled {
                    await signal.wait(beyond: seen)
                }
            }
        }
    }

    private func record(_ receipt: DeliveryReceipt, of gateway: String) async {
        var logger = logger
        logger[metadataKey: "gateway.name"] = "\(gateway)"
        logger[metadataKey: "gateway.message_id"] = "\(receipt.messageID)"
        var outages = 0
        var tries = 0
        while !Task.isCancelled {
            do {
                let command = RecordReceipt(
                    gateway: gateway,
                    gatewayMessageID: receipt.messageID,
                    outcome: receipt.outcome,
                    now: wallClock.now()
                )
                let isRecorded = try await store.record(command)
                storeHealth.recordSuccess()
                if isRecorded {
                    measures.count(receipt.outcome, by: gateway)
                    return log(receipt.outcome, logger)
                }
                outages = 0
                tries += 1
                guard tries < Self.tries else { return logger.debug("A receipt told nothing new of any message") }
                try? await clock.sleep(for: backOff.wait(after: tries))
            } catch {
                storeHealth.record(error)
                outages += 1
                try? await clock.sleep(for: backOff.wait(after: outages))
            }
        }
    }

    private func log(_ outcome: RecordReceipt.Outcome, _ logger: Logger) {
        switch outcome {
        case .delivered: logger.debug("A message was delivered")
        case .undelivered(let code):
            logger.warning("A message was lost on its way", metadata: code.map { ["failure.code": "\($0)"] })
        }
    }
}
