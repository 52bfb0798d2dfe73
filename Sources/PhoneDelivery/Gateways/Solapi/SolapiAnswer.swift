import PhoneDomain

/// What Solapi answered to a message, and what that means for it.
///
/// | answer | means |
/// |---|---|
/// | 200 with nothing in `failedMessageList` and a message in `messageList` that has been taken (2xxx) | taken |
/// | 200 with something in `failedMessageList`, or a message with another code | surely not sent by this gateway |
/// | 2xx that cannot be read or names no message | nobody knows |
/// | 402 | surely not taken: the account has no money |
/// | 401, 403 while the two clocks are fifteen minutes apart | surely not taken: our clock is wrong, or theirs |
/// | 504 | nobody knows: something between gave up on what is behind it |
/// | anything else | what the status says (``GatewayAnswer/statusFailure``) |
///
/// Sources: https://github.com/solapi/solapi-nodejs (`src/models/responses`), https://developers.solapi.com/references/.
struct SolapiAnswer {
    private static let greatestSkew: Duration = .seconds(900)

    private let answer: GatewayAnswer
    private let asked: Timestamp

    /// - Parameter asked: the moment that the request was signed with.
    init(_ answer: GatewayAnswer, asked: Timestamp) {
        self.answer = answer
        self.asked = asked
    }

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = GatewayJSON.read(Content.self, from: answer.body) else {
            throw .ambiguous("the answer cannot be read", code: answer.status)
        }
        if let failed = content.failedMessageList?.first { throw Self.refusal(failed.code) }
        guard let message = content.messageList?.first else {
            throw .ambiguous("the answer names no message", code: answer.status)
        }
        if let code = message.code, !(2000..<3000).contains(code) { throw Self.refusal(code) }
        guard let receipt = GatewayReceipt(reading: message.messageId) else {
            throw .ambiguous("the answer names no message", code: answer.status)
        }
        return receipt
    }

    /// Why there is no answer but a refusal; nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = answer.statusFailure else { return nil }
        switch answer.status {
        case 401 where isSkewed, 403 where isSkewed:
            return .failover("the clocks are over fifteen minutes apart", code: answer.status)
        case 402: return .failover("the account has no money", code: answer.status)
        case 504: return .ambiguous("no answer in time", code: answer.status)
        default: return failure
        }
    }

    /// What a code means that a message got while it was taken. That of a sender which is not registered is known; the others
    /// may be about anything, so another gateway is asked.
    private static func refusal(_ code: Int?) -> GatewayFailure {
        code == 1062
            ? .failover("the sender was refused", code: code) : .failover("the gateway refused the message", code: code)
    }

    private var isSkewed: Bool {
        guard let date = answer.date else { return false }
        return max(date - asked, asked - date) > Self.greatestSkew
    }

    private struct Content: Decodable {
        struct Message: Decodable {
            let messageId: String?
            let statusCode: LenientText?

            var code: Int? { statusCode?.text.flatMap { Int($0) } }
        }

        let failedMessageList: [Message]?
        let messageList: [Message]?
    }
}
