import PhoneDomain

/// Interprets a response of Solapi to a message.
///
/// | response | meaning |
/// |---|---|
/// | 200 with nothing in `failedMessageList` and an accepted message (2xxx) in `messageList` | accepted |
/// | 200 with something in `failedMessageList`, or a message with another code | surely not sent by this gateway |
/// | 2xx that is unreadable or has no message ID | unknown |
/// | 402 | surely not accepted: the account has no money |
/// | 401, 403 while the two clocks are fifteen minutes apart | surely not accepted: one of the clocks is wrong |
/// | 504 | unknown: a proxy had a timeout |
/// | anything else | what the status means (``GatewayResponse/statusFailure``) |
///
/// Sources: https://github.com/solapi/solapi-nodejs (`src/models/responses`), https://developers.solapi.com/references/.
struct SolapiResponse {
    private let response: GatewayResponse
    private let signedAt: Timestamp

    init(_ response: GatewayResponse, signedAt: Timestamp) {
        self.response = response
        self.signedAt = signedAt
    }

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json(Content.self) else { throw response.unreadable }
        if let failed = content.failedMessageList?.first { throw Self.refusal(failed.statusCode?.number) }
        if let code = content.messageList?.first?.statusCode?.number, !(2000..<3000).contains(code) {
            throw Self.refusal(code)
        }
        return try response.receipt(messageID: content.messageList?.first?.messageId)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        switch response.status {
        case 401, 403:
            return response.isSkewed(from: signedAt, by: .seconds(900))
                ? .failover("the clocks are over fifteen minutes apart", code: response.status) : failure
        case 402: return .failover("the account has no money", code: response.status)
        case 504: return .ambiguous("no answer in time", code: response.status)
        default: return failure
        }
    }

    /// Only the code of an unregistered sender is known; the others may mean anything, so another gateway is asked.
    private static func refusal(_ code: Int?) -> GatewayFailure {
        code == 1062
            ? .failover("the sender was refused", code: code) : .failover("the gateway refused the message", code: code)
    }

    private struct Content: Decodable {
        struct Message: Decodable {
            let messageId: String?
            let statusCode: LenientText?
        }

        let failedMessageList: [Message]?
        let messageList: [Message]?
    }
}

/// The status of messages by their IDs.
///
/// Code 4000 means delivered, 2000 to 3000 in transit, and any other lost
/// (https://developers.solapi.com/references/message-status-codes).
struct SolapiStatus: Decodable {
    struct Message: Decodable {
        private let messageId: String?
        private let type: String?
        private let statusCode: LenientText?

        var id: String? { messageId }

        /// Nil while it is unknown. A lost Alimtalk may have been replaced by a text, which this does not report.
        var outcome: DeliveryReceipt.Outcome? {
            guard let code = statusCode?.number else { return nil }
            switch code {
            case 4000: return .delivered
            case 1000..<2000, 3001..<4000: return type == "ATA" ? nil : .undelivered(code: code)
            default: return nil
            }
        }
    }

    let messageList: [String: Message]
}
