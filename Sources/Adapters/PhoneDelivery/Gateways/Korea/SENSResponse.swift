import CoreEncodings
import PhoneDomain
import PhoneSignup

/// Interprets a response of NAVER Cloud SENS to a message.
///
/// | response | meaning |
/// |---|---|
/// | 202 with `success` and a request ID | accepted |
/// | 2xx with anything else than success | surely not accepted by this gateway |
/// | 2xx that is unreadable, has neither success nor failure, or no request ID | unknown |
/// | 401 while the two clocks are five minutes apart | surely not accepted: one of the clocks is wrong |
/// | 404 | surely not accepted: there is no such service |
/// | anything else | what the status means (``GatewayResponse/statusFailure``), with the API gateway's code if it gave one |
///
/// A 400 may mean the number, the sender or the text, so another gateway is asked.
/// Sources: https://api.ncloud-docs.com/docs/sens-sms-send, https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSResponse {
    let response: GatewayResponse
    let signedAt: Timestamp

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json, content.isObject else { throw response.unreadable }
        let (name, code) = (content["statusName"]?.string, content["statusCode"]?.integer)
        guard name != nil || code != nil else {
            throw .ambiguous("the response does not say whether the message was accepted", code: response.status)
        }
        // Half a success is none.
        guard name == "success", code == 202 else { throw .failover("the gateway refused the message", code: code) }
        return try response.receipt(messageID: content["requestId"]?.string)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        // An error of the API gateway, before the service was reached: `{"error": {"errorCode": "200", …}}`.
        let code = response.json?["error"]?["errorCode"]?.integer ?? response.status
        switch response.status {
        case 401 where response.isSkewed(from: signedAt, by: .seconds(300)):
            return .failover("the clocks are over five minutes apart", code: code)
        case 401, 403: return .failover("the account was refused", code: code)
        case 404: return .failover("there is no such service", code: code)
        case 429: return .busy(after: response.retryAfter, "the gateway is busy", code: code)
        case 504: return .ambiguous("no response in time", code: code)
        default: return failure
        }
    }
}

/// Source: https://api.ncloud-docs.com/docs/sens-sms-list, https://api.ncloud-docs.com/docs/sens-sms-get.
struct SENSStatus {
    let messageID: String?
    private let status: String?
    private let code: Int?
    private let name: String?

    /// Nil unless the response has one message, of this request.
    init?(_ content: JSON, of requestID: String) {
        guard let messages = content["messages"]?.array, let message = messages.first, messages.count == 1,
            message["requestId"]?.string == requestID
        else { return nil }
        messageID = message["messageId"]?.string
        (status, name) = (message["status"]?.string, message["statusName"]?.string)
        code = message["statusCode"]?.integer
    }

    var hasStatus: Bool { status != nil }

    /// Nil while it is `READY` or `PROCESSING`, and where name and code contradict each other.
    var outcome: DeliveryReceipt.Outcome? {
        guard status == "COMPLETED" else { return nil }
        switch (name, code) {
        case ("success", 0): return .delivered
        case ("fail", let code) where code != 0: return .undelivered(code: code?.asGatewayCode)
        default: return nil
        }
    }
}
