import PhoneDomain

/// Interprets a response of NAVER Cloud SENS to a message.
///
/// | response | meaning |
/// |---|---|
/// | 202 with `success` and a request ID | accepted |
/// | 2xx with anything else than success | surely not accepted by this gateway |
/// | 2xx that is unreadable, has neither success nor failure, or no request ID | unknown |
/// | 401 while the two clocks are five minutes apart | surely not accepted: one of the clocks is wrong |
/// | 404 | surely not accepted: there is no such service |
/// | 504 | unknown: the API gateway had a timeout |
/// | anything else | what the status means (``GatewayResponse/statusFailure``), with the API gateway's code if it gave one |
///
/// A 400 may mean the number, the sender or the text, so another gateway is asked.
/// Sources: https://api.ncloud-docs.com/docs/sens-sms-send, https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSResponse {
    private let response: GatewayResponse
    private let signedAt: Timestamp

    init(_ response: GatewayResponse, signedAt: Timestamp) {
        self.response = response
        self.signedAt = signedAt
    }

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json(Content.self) else { throw response.unreadable }
        guard content.statusName != nil || content.statusCode != nil else {
            throw .ambiguous("the answer does not say whether it was taken", code: response.status)
        }
        // Half a success is none.
        guard content.statusName == "success", content.statusCode == "202" else {
            throw .failover("the gateway refused the message", code: content.statusCode.flatMap { Int($0) })
        }
        return try response.receipt(messageID: content.requestId)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        let code = response.json(Refusal.self)?.error?.errorCode?.number ?? response.status
        switch response.status {
        case 401 where response.isSkewed(from: signedAt, by: .seconds(300)):
            return .failover("the clocks are over five minutes apart", code: code)
        case 401, 403: return .failover("the account was refused", code: code)
        case 404: return .failover("there is no such service", code: code)
        case 429: return .busy(after: response.retryAfter, "the gateway is busy", code: code)
        case 504: return .ambiguous("no answer in time", code: code)
        default: return failure
        }
    }

    private struct Content: Decodable {
        let requestId: String?
        let statusCode: String?
        let statusName: String?

        private enum CodingKeys: String, CodingKey {
            case requestId, statusCode, statusName
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            requestId = try? container.decode(String.self, forKey: .requestId)
            statusCode = (try? container.decode(LenientText.self, forKey: .statusCode))?.text
            statusName = try? container.decode(String.self, forKey: .statusName)
        }
    }

    /// An error of the API gateway, before the service was reached: `{"error": {"errorCode": "200", …}}`.
    private struct Refusal: Decodable {
        struct Details: Decodable {
            let errorCode: LenientText?
        }

        let error: Details?
    }
}

/// The status of a request's messages.
///
/// Source: https://api.ncloud-docs.com/docs/sens-sms-list, https://api.ncloud-docs.com/docs/sens-sms-get.
struct SENSStatus: Decodable {
    struct Message: Decodable {
        let requestID: String?
        let messageID: String?
        private let status: String?
        private let statusCode: String?
        private let statusName: String?

        private enum CodingKeys: String, CodingKey {
            case status, statusCode, statusName
            case requestID = "requestId"
            case messageID = "messageId"
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: CodingKeys.self)
            requestID = try? container.decode(String.self, forKey: .requestID)
            messageID = try? container.decode(String.self, forKey: .messageID)
            status = try? container.decode(String.self, forKey: .status)
            statusCode = (try? container.decode(LenientText.self, forKey: .statusCode))?.text
            statusName = try? container.decode(String.self, forKey: .statusName)
        }

        var hasStatus: Bool { status != nil }

        /// Nil while it is `READY` or `PROCESSING`, and where name and code contradict each other.
        var outcome: DeliveryReceipt.Outcome? {
            guard status == "COMPLETED" else { return nil }
            switch (statusName, statusCode) {
            case ("success", "0"): return .delivered
            case ("fail", let code) where code != "0":
                return .undelivered(code: code.flatMap { Int($0) }?.asGatewayCode)
            default: return nil
            }
        }
    }

    let messages: [Message]
}
