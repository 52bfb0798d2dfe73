import FoundationEssentials

/// What Twilio's Messages API answered, and what that means for the message.
///
/// | answer | means |
/// |---|---|
/// | 2xx that names a message | taken |
/// | 2xx that says the message failed, or bears an error in place of one | surely not sent; what next, the error code says |
/// | 2xx that cannot be read, names no message, or contradicts itself | nobody knows |
/// | 3xx | surely not taken: nothing is followed, since the secret is for the address that was named |
/// | 408, 425, 429, 5xx | surely not taken; may be later |
/// | any other 4xx | surely not taken; what next, the error code says |
///
/// Source: https://www.twilio.com/docs/messaging/api/message-resource, https://www.twilio.com/docs/usage/twilios-response.
struct TwilioAnswer {
    private let answer: GatewayAnswer

    init(_ answer: GatewayAnswer) {
        self.answer = answer
    }

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let content = answer.body.flatMap { try? JSONDecoder().decode(Content.self, from: Data($0)) }
        guard let failure = answer.statusFailure else {
            return try Self.receipt(in: content, status: answer.status)
        }
        throw (400..<500).contains(answer.status) ? self.failure(content, failure) : failure
    }

    /// What the error code says, where the status leaves a choice.
    private func failure(_ content: Content?, _ failure: GatewayFailure) -> GatewayFailure {
        guard let code = content?.code else { return failure }
        switch answer.status {
        case 408, 425: return failure
        case 429: return .busy(after: answer.retryAfter, "the gateway is busy", code: code)
        case 401, 403: return .twilio(code: code) ?? failure
        default: break
        }
        let told = GatewayFailure.refusal(twilioCode: code)
        guard case .retry = told.kind else { return told }
        return told.isFault
            ? .retry(after: answer.retryAfter, "the gateway is down", code: code)
            : .busy(after: answer.retryAfter, "the gateway is busy", code: code)
    }

    private static func receipt(in content: Content?, status: Int) throws(GatewayFailure) -> GatewayReceipt {
        guard let content else { throw .ambiguous("the answer cannot be read", code: status) }
        if content.saysNotSent { throw .refusal(twilioCode: content.errorCode) }
        if content.sid == nil, let code = content.code { throw .refusal(twilioCode: code) }
        if content.hasError {
            guard content.messageStatus == nil else {
                throw .ambiguous("the answer contradicts itself", code: content.errorCode)
            }
            throw .refusal(twilioCode: content.errorCode)
        }
        guard let receipt = GatewayReceipt(reading: content.sid) else {
            throw .ambiguous("the answer names no message", code: status)
        }
        return receipt
    }

    /// The members that matter; one of another type than it should be is as good as none, except that an error is an error
    /// whatever its type.
    private struct Content: Decodable {
        let sid: String?
        let messageStatus: String?
        let hasError: Bool
        /// The message's error code.
        let errorCode: Int?
        /// The code of an error that is answered in place of a message.
        let code: Int?

        private enum CodingKeys: String, CodingKey {
            case sid, status, code
            case errorCode = "error_code"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            sid = try? container.decode(String.self, forKey: .sid)
            messageStatus = try? container.decode(String.self, forKey: .status)
            // Some that imitate Twilio write codes as text.
            func integer(_ key: CodingKeys) -> Int? {
                (try? container.decode(Int.self, forKey: key))
                    ?? (try? container.decode(String.self, forKey: key)).flatMap(Int.init)
            }
            code = integer(.code)
            errorCode = integer(.errorCode)
            hasError = container.contains(.errorCode) && (try? container.decodeNil(forKey: .errorCode)) != true
        }

        var saysNotSent: Bool {
            switch messageStatus {
            case "failed", "undelivered", "canceled": true
            default: false
            }
        }
    }
}
