import Logging
import PhoneDomain

/// Puts on record what came of attempts to send messages.
struct ResultRecorder: Sendable {
    let store: any OutboxStore
    let inHand: MessagesInHand
    let receipts: ReceiptRecorder
    let backOff: BackOff
    let wallClock: any WallClock
    let clock: any Clock<Duration>
    let logger: Logger
    let storeHealth: StoreHealth
    let measures: DeliveryMeasures

    /// Has what came of a message put on record, and lets go of it.
    ///
    /// - Returns: the result, or the store's error if it could not be recorded; the message is put aside then.
    func record(_ result: DeliveryResult, of claim: OutboxClaim) async -> Result<DeliveryResult, any Error> {
        let log = MessageLog(claim, logger)
        do {
            if try await settle(claim, result) {
                report(result, claim, log)
            } else {
                log.log(.warning, "A message was claimed anew before its attempt ended")
            }
            inHand.release(claim)
            return .success(result)
        } catch {
            inHand.putAside(claim, at: wallClock.now())
            log.log(.error, "What came of a message could not be recorded", ["error": "\(error)"])
            return .failure(error)
        }
    }

    /// Tells of a result that is on record, and of what the gateway knew already of how the message fared.
    private func report(_ result: DeliveryResult, _ claim: OutboxClaim, _ log: MessageLog) {
        measures.count(result, delay: wallClock.now() - claim.message.createdAt)
        log.log(result)
        if case .sent(let gateway, let messageID?, let outcome?) = result {
            receipts.report(DeliveryReceipt(messageID: messageID, outcome: outcome), of: gateway)
        }
    }

    /// Records the result. As long as nobody else can claim the message, a store that fails is asked again: what a
    /// gateway took must not be sent twice because of a short outage.
    ///
    /// - Returns: whether the attempt still counted.
    private func settle(_ claim: OutboxClaim, _ result: DeliveryResult) async throws -> Bool {
        var failures = 0
        while true {
            let now = wallClock.now()
            let claim = inHand.newest(claim)
            let attempt = claim.message.attempts
            do {
                let counted = try await store.settle(
                    SettleMessage(id: claim.message.id, attempt: attempt, result: result, now: now)
                )
                storeHealth.recordSuccess()
                // This dispatcher itself may have claimed it anew a moment ago.
                if !counted, inHand.newest(claim).message.attempts != attempt { continue }
                return counted
            } catch {
                storeHealth.record(error)
                failures += 1
                let wait = backOff.wait(after: failures)
                guard now + wait < claim.leaseEnd else { throw error }
                try? await clock.sleep(for: wait)
            }
        }
    }
}
