import PhoneDomain

/// What NAVER Cloud SENS answered of a request's messages.
///
/// Source: https://api.ncloud-docs.com/docs/sens-sms-list, https://api.ncloud-docs.com/docs/sens-sms-get.
struct SENSResult: Decodable {
    /// One message of a request.
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

        /// Whether it says how it stands at all.
        var hasStatus: Bool { status != nil }

        /// How it fared: nil as long as it is `READY` or `PROCESSING`, and where name and code contradict each other.
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
