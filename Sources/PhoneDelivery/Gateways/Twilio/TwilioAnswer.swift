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
    /// The status code.
    let status: Int
    /// The `Retry-After` header.
    let retryAfter: String?
    /// The body, or nil if it did not come whole or is longer than any answer.
    let body: [UInt8]?

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let content = body.flatMap { try? JSONDecoder().decode(Content.self, from: Data($0)) }
        switch status {
        case 200..<300: return try Self.receipt(in: content, status: status)
        case 300..<400: throw .failover("the gateway is elsewhere", code: status)
        case 408, 425: throw .retry(after: wait, "the gateway is slow", code: status)
        case 429: throw .busy(after: wait, "the gateway is busy", code: content?.code ?? status)
        case 401, 403:
            throw content?.code.flatMap(GatewayFailure.twilio) ?? .failover("the account was refused", code: status)
        case 400..<500:
            let failure = GatewayFailure.refusal(twilioCode: content?.code ?? status)
            guard case .retry = failure.kind else { throw failure }
            guard failure.isFault else { throw .busy(after: wait, "the gateway is busy", code: failure.code) }
            throw .retry(after: wait, "the gateway is down", code: failure.code)
        case 500..<600: throw .retry(after: wait, "the gateway is down", code: status)
        default: throw .ambiguous("the answer cannot be read", code: status)
        }
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
        guard let sid = content.sid, sid.isNameOfMessage else {
            throw .ambiguous("the answer names no message", code: status)
        }
        return GatewayReceipt(messageID: sid)
    }

    /// How long the gateway wants to be left alone, at most a day: in seconds (RFC 9110 section 10.2.3). A date is not
    /// understood, and our own back-off holds then.
    private var wait: Duration? {
        retryAfter.flatMap(Int.init).flatMap { $0 >= 0 ? .seconds(min($0, 86_400)) : nil }
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

extension String {
    /// Whether it may stand in logs and in the store: Twilio's are `SM` or `MM` and 32 hexadecimal digits, those of programs
    /// that speak like it may differ.
    fileprivate var isNameOfMessage: Bool {
        1...64 ~= utf8.count && allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_" || $0 == "-") }
    }
}
