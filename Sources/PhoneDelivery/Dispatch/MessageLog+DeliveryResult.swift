import Logging
import PhoneDomain

extension MessageLog {
    /// Says what came of an attempt.
    func log(_ result: DeliveryResult) {
        switch result {
        case .sent(let gateway, let messageID?, _):
            log(.info, "A message was sent", ["gateway.name": "\(gateway)", "gateway.message_id": "\(messageID)"])
        case .sent(let gateway, nil, _): log(.info, "A message was sent", ["gateway.name": "\(gateway)"])
        case .unknown(let gateway, let failure):
            log(
                .warning,
                "A message may have been sent",
                ["gateway.name": "\(gateway)", "message.failure": "\(failure)"]
            )
        case .retry(let moment, _, _):
            log(.info, "A message will be tried again", ["message.next_attempt_at": "\(moment)"])
        case .postponed(let moment):
            log(.debug, "A message waits for a gateway", ["message.next_attempt_at": "\(moment)"])
        case .failed(let failure): log(.warning, "A message failed", ["message.failure": "\(failure)"])
        case .dropped: log(.debug, "A message was not worth sending any more")
        case .withheld: log(.info, "A message was held back")
        }
    }
}
