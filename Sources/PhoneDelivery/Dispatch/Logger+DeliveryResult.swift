import Logging
import PhoneDomain

extension Logger {
    /// Says what came of an attempt.
    func log(_ result: DeliveryResult) {
        switch result {
        case .sent(let gateway, let messageID?):
            info(
                "A message was sent",
                metadata: ["gateway.name": "\(gateway)", "gateway.message_id": "\(messageID)"]
            )
        case .sent(let gateway, nil):
            warning("A message may have been sent", metadata: ["gateway.name": "\(gateway)"])
        case .retry(let moment, _):
            info("A message will be tried again", metadata: ["message.next_attempt_at": "\(moment)"])
        case .postponed(let moment):
            debug("A message waits for a gateway", metadata: ["message.next_attempt_at": "\(moment)"])
        case .failed(let failure): warning("A message failed", metadata: ["message.failure": "\(failure)"])
        case .dropped: debug("A message was not worth sending any more")
        case .withheld: info("A message was held back")
        }
    }
}
