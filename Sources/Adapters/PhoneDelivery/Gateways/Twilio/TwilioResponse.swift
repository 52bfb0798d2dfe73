import CoreEncodings

/// Interprets a response of Twilio's Messages API.
///
/// | response | meaning |
/// |---|---|
/// | 2xx with a message's SID | accepted |
/// | 2xx with a failed message, or an error instead of a message | surely not sent; the error code determines what follows |
/// | 2xx that is unreadable, has no SID, or contradicts itself | unknown |
/// | 4xx other than 408 and 425 | surely not accepted; the error code determines what follows |
/// | any other | what its status means (``GatewayResponse/statusFailure``) |
///
/// Source: https://www.twilio.com/docs/messaging/api/message-resource,
/// https://www.twilio.com/docs/usage/twilios-response.
struct TwilioResponse {
    let response: GatewayResponse

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let content = response.json
        let code = content?["code"]?.integer
        if let failure = response.statusFailure {
            throw (400..<500).contains(response.status) ? refinedFailure(code, failure) : failure
        }
        guard let content, content.isObject else { throw response.unreadable }
        let (sid, status) = (content["sid"]?.string, content["status"]?.string)
        let errorCode = content["error_code"]?.integer
        if ["failed", "undelivered", "canceled", "busy", "no-answer"].contains(status) {
            throw .refusal(twilioCode: errorCode)
        }
        if sid == nil, let code { throw .refusal(twilioCode: code) }
        // An error of any type is an error.
        if (content["error_code"] ?? .null) != .null {
            guard status == nil else { throw .ambiguous("the response contradicts itself", code: errorCode) }
            throw .refusal(twilioCode: errorCode)
        }
        return try response.receipt(messageID: sid)
    }

    /// The failure by the error code, where the status is not specific.
    private func refinedFailure(_ code: Int?, _ failure: GatewayFailure) -> GatewayFailure {
        guard let code else { return failure }
        switch response.status {
        case 408, 425: return failure
        case 429: return .busy(after: response.retryAfter, "the gateway is busy", code: code)
        case 401, 403: return .twilio(code: code) ?? failure
        default: return .refusal(twilioCode: code).retrying(after: response.retryAfter)
        }
    }
}

extension GatewayFailure {
    /// Nil for an unknown code. Source: https://www.twilio.com/docs/api/errors.
    fileprivate static func twilio(code: Int) -> GatewayFailure? {
        switch code {
        case 21211: .refused("no such number", code: code)
        case 21610: .refused("the recipient has opted out", code: code)
        case 13224, 21216, 21219: .refused("the number cannot be called", code: code)
        case 63003, 63024: .refused("the number is not on WhatsApp", code: code)
        case 21614, 30006: .refused("the number cannot receive text messages", code: code)
        case 21617: .refused("the text is too long", code: code)
        case 20003, 20005, 20404, 30002: .failover("the account was refused", code: code)
        case 21210, 21212, 21603, 21606, 63007, 63016, 63027: .failover("the sender was refused", code: code)
        // This sender, and others reach it: https://www.twilio.com/docs/api/errors/21612.
        case 21612: .failover("the sender cannot reach the number", code: code)
        case 21215, 21408: .failover("the gateway does not serve the country", code: code)
        case 14107, 20429, 21611, 30001: .busy("the gateway is busy", code: code)
        case 20500, 20503: .retry("the gateway is down", code: code)
        default: nil
        }
    }

    /// The meaning of a Twilio error code; for an unknown one, another gateway may accept what this one does not.
    package static func refusal(twilioCode code: Int?) -> GatewayFailure {
        code.flatMap(twilio) ?? .failover("the gateway refused the message", code: code)
    }
}
