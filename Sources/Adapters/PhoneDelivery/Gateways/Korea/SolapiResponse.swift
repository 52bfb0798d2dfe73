import CoreEncodings
import PhoneDomain
import PhoneSignup

/// Interprets a response of Solapi to a message.
///
/// | response | meaning |
/// |---|---|
/// | 200 with nothing in `failedMessageList` and an accepted message (2xxx) in `messageList` | accepted |
/// | 200 with something in `failedMessageList`, or a message with another code | surely not sent by this gateway |
/// | 2xx that is unreadable or has no message ID | unknown |
/// | 402 | surely not accepted: the account has insufficient funds |
/// | 401, 403 while the two clocks are fifteen minutes apart | surely not accepted: one of the clocks is wrong |
/// | anything else | what the status means (``GatewayResponse/statusFailure``) |
///
/// Sources: https://github.com/solapi/solapi-nodejs (`src/models/responses`),
/// https://developers.solapi.com/references/.
struct SolapiResponse {
    let response: GatewayResponse
    let signedAt: Timestamp

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json, content.isObject else { throw response.unreadable }
        if let failed = content["failedMessageList"]?.array?.first {
            throw Self.refusal(failed["statusCode"]?.integer)
        }
        let message = content["messageList"]?.array?.first
        if let code = message?["statusCode"]?.integer, !(2000..<3000).contains(code) { throw Self.refusal(code) }
        return try response.receipt(messageID: message?["messageId"]?.string)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        switch response.status {
        case 401, 403:
            return response.isSkewed(from: signedAt, by: .seconds(900))
                ? .failover("the clocks are over fifteen minutes apart", code: response.status) : failure
        case 402: return .failover("the account has insufficient funds", code: response.status)
        default: return failure
        }
    }

    /// Only the code of an unregistered sender is known; the others may mean anything, so another gateway is asked.
    private static func refusal(_ code: Int?) -> GatewayFailure {
        code == 1062
            ? .failover("the sender was refused", code: code) : .failover("the gateway refused the message", code: code)
    }

    /// The outcome of a message in a list of messages by their IDs; nil while it is unknown.
    ///
    /// Code 4000 means delivered, 2000 to 3000 in transit, and any other lost
    /// (https://developers.solapi.com/references/message-status-codes). A lost Alimtalk may have been replaced by a
    /// text, which this does not report.
    static func outcome(of id: String, in messages: JSON?) -> DeliveryReceipt.Outcome? {
        guard let message = messages?[id], message["messageId"]?.string == id else { return nil }
        switch message["statusCode"]?.integer {
        case 4000: return .delivered
        case let code? where 1000..<2000 ~= code || 3001..<4000 ~= code:
            return message["type"]?.string == "ATA" ? nil : .undelivered(code: code)
        default: return nil
        }
    }
}
