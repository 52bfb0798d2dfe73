import PhoneDomain

/// What NAVER Cloud SENS answered to a message, and what that means for it.
///
/// | answer | means |
/// |---|---|
/// | 202 that says `success` and names a request | taken |
/// | 2xx that says anything else than success | surely not taken by this gateway |
/// | 2xx that cannot be read, says nothing of success or failure, or names no request | nobody knows |
/// | 401 while the two clocks are five minutes apart | surely not taken: our clock is wrong, or theirs |
/// | 404 | surely not taken: there is no such service |
/// | 504 | nobody knows: the API gateway gave up on what is behind it |
/// | anything else | what the status says (``GatewayAnswer/statusFailure``), with the API gateway's code if it gave one |
///
/// Of a 400 nobody can tell whether the number, the sender or the text is to blame, so another gateway is asked.
/// Sources: https://api.ncloud-docs.com/docs/sens-sms-send, https://api.ncloud-docs.com/docs/common-ncpapi.
struct SENSAnswer {
    private static let greatestSkew: Duration = .seconds(300)

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
        guard content.statusName != nil || content.statusCode != nil else {
            throw .ambiguous("the answer does not say whether it was taken", code: answer.status)
        }
        if content.saysNotTaken {
            throw .failover("the gateway refused the message", code: content.statusCode.flatMap { Int($0) })
        }
        guard let receipt = GatewayReceipt(reading: content.requestId) else {
            throw .ambiguous("the answer names no message", code: answer.status)
        }
        return receipt
    }

    /// Why there is no answer but a refusal; nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = answer.statusFailure else { return nil }
        let code = GatewayJSON.read(Refusal.self, from: answer.body)?.code ?? answer.status
        switch answer.status {
        case 401 where isSkewed: return .failover("the clocks are over five minutes apart", code: code)
        case 401, 403: return .failover("the account was refused", code: code)
        case 404: return .failover("there is no such service", code: code)
        case 429: return .busy(after: answer.retryAfter, "the gateway is busy", code: code)
        case 504: return .ambiguous("no answer in time", code: code)
        default: return failure
        }
    }

    private var isSkewed: Bool {
        guard let date = answer.date else { return false }
        return max(date - asked, asked - date) > Self.greatestSkew
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

        /// An answer that says but half of success is no success.
        var saysNotTaken: Bool { statusName != "success" || statusCode != "202" }
    }

    /// An error of the API gateway, before the service was asked: `{"error": {"errorCode": "200", …}}`.
    private struct Refusal: Decodable {
        struct Details: Decodable {
            let errorCode: LenientText?
        }

        let error: Details?

        var code: Int? { error?.errorCode?.text.flatMap { Int($0) } }
    }
}
