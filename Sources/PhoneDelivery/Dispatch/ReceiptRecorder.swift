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
    let late: LateReceipts

    /// Records receipts until the task is cancelled or no gateway will say more.
    func run() async {
        await withDiscardingTaskGroup { group in
            for gateway in gateways {
                guard let receipts = gateway.receipts else { continue }
                let name = gateway.name
                group.addTask { await self.record(receipts.map { LateReceipts.Report(gateway: name, receipt: $0) }) }
            }
            group.addTask { await self.record(late.reports) }
        }
    }

    /// Records a receipt, once.
    ///
    /// - Returns: whether it told anything new of a message.
    /// - Throws: what the store throws.
    func record(_ receipt: DeliveryReceipt, of gateway: String) async throws -> Bool {
        do {
            let isRecorded = try await store.record(command(receipt, of: gateway))
            storeHealth.recordSuccess()
            if isRecorded { report(receipt, of: gateway) }
            return isRecorded
        } catch {
            storeHealth.record(error)
            throw error
        }
    }

    /// Tells of a receipt that is on record.
    func report(_ receipt: DeliveryReceipt, of gateway: String) {
        measures.count(receipt.outcome, by: gateway)
        switch receipt.outcome {
        case .delivered: logger.debug("A message was delivered", metadata: metadata(receipt, of: gateway))
        case .undelivered(let code):
            var metadata = metadata(receipt, of: gateway)
            if let code { metadata["failure.code"] = "\(code)" }
            logger.warning("A message was lost on its way", metadata: metadata)
        }
    }

    private func command(_ receipt: DeliveryReceipt, of gateway: String) -> RecordReceipt {
        RecordReceipt(
            gateway: gateway,
            gatewayMessageID: receipt.messageID,
            outcome: receipt.outcome,
            now: wallClock.now()
        )
    }

    private func metadata(_ receipt: DeliveryReceipt, of gateway: String) -> Logger.Metadata {
        ["gateway.name": "\(gateway)", "gateway.message_id": "\(receipt.messageID)"]
    }

    private func record<Reports: AsyncSequence<LateReceipts.Report, Never> & Sendable>(_ reports: Reports) async {
        let shift = Shift(limit: Self.room)
        let signal = WakeSignal()
        await withDiscardingTaskGroup { group in
            for await report in reports {
                shift.begin(1)
                group.addTask {
                    await self.persist(report.receipt, of: report.gateway)
                    if shift.finish() { signal.wake() }
                }
                while case let seen = signal.count, shift.room == 0, !Task.isCancelled {
                    await signal.wait(beyond: seen)
                }
            }
        }
    }

    private func persist(_ receipt: DeliveryReceipt, of gateway: String) async {
        var outages = 0
        var tries = 0
        while !Task.isCancelled {
            do {
                if try await record(receipt, of: gateway) { return }
                outages = 0
                tries += 1
                guard tries < Self.tries else {
                    return logger.debug(
                        "A receipt told nothing new of any message",
                        metadata: metadata(receipt, of: gateway)
                    )
                }
                try? await clock.sleep(for: backOff.wait(after: tries))
            } catch {
                outages += 1
                try? await clock.sleep(for: backOff.wait(after: outages))
            }
        }
    }
}
