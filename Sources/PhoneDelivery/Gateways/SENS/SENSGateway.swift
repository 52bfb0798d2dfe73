public import PhoneDomain

/// Sends by NAVER Cloud SENS, to Korea and, as far as the service does so, abroad.
///
/// It knows no key by which to tell a repetition, so a message of unknown fate is not handed over again; and it says nothing
/// by itself of how messages fared, so it is asked.
public struct SENSGateway: ReceiptSource {
    /// NAVER Cloud for everybody.
    public static let standardAddress = "https://sens.apigw.ntruss.com"
    /// NAVER Cloud for agencies of the government.
    public static let agencyAddress = "https://sens.apigw.gov-ntruss.com"

    public let name = "sens"
    public let mostAskedAtOnce = 1

    private let sender: KoreanSender
    private let allowsLongMessages: Bool
    private let origin: String
    private let path: String
    private let signature: SENSSignature
    private let wallClock: any WallClock
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - account: who pays.
    ///   - sender: whom messages come from.
    ///   - allowsLongMessages: whether a text that does not fit an SMS may go as an LMS.
    ///   - address: where the API is.
    ///   - authenticator: makes signatures.
    ///   - wallClock: says what time it is: requests that are five minutes off are refused.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(
        account: SENSAccount,
        sender: KoreanSender,
        allowsLongMessages: Bool,
        address: GatewayAddress,
        authenticator: any RequestAuthenticator,
        wallClock: any WallClock,
        connectTimeout: Duration
    ) {
        self.sender = sender
        self.allowsLongMessages = allowsLongMessages
        (origin, path) = address.split(before: "/sms/v2/services/\(account.serviceID)/messages")
        signature = SENSSignature(account: account, authenticator: authenticator)
        self.wallClock = wallClock
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    private struct Request: Encodable {
        struct Recipient: Encodable {
            let to: String
        }

        let type: String
        let contentType = "COMM"
        let countryCode: String
        let from: String
        let content: String
        let messages: [Recipient]
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let form = try KoreanMessage(message, allowsLong: allowsLongMessages)
        let request = Request(
            type: form.kind.rawValue,
            countryCode: form.country,
            from: sender.description,
            content: message.body,
            messages: [Request.Recipient(to: form.to)]
        )
        guard let body = GatewayJSON.bytes(of: request) else { throw .failover("the text cannot be written in JSON") }
        let now = wallClock.now()
        let answer = try await client.post(
            body,
            contentType: GatewayJSON.contentType,
            to: origin + path,
            headers: signature.headers(method: "POST", path: path, at: now)
        )
        return try SENSAnswer(answer, asked: now).receipt()
    }

    /// A request has one message, so the list of a request's messages says it all; where it says nothing of how a message
    /// stands, the message itself is asked for.
    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        var receipts: [DeliveryReceipt] = []
        for requestID in messageIDs {
            let listed = try await ask("?requestId=\(requestID.percentEncoded)", of: requestID)
            var message = listed
            if let listed, !listed.hasStatus, let id = listed.messageID {
                message = try await ask("/\(id.percentEncoded)", of: requestID)
            }
            guard let outcome = message?.outcome else { continue }
            receipts.append(DeliveryReceipt(messageID: requestID, outcome: outcome))
        }
        return receipts
    }

    private func ask(_ rest: String, of requestID: String) async throws(GatewayFailure) -> SENSResult.Message? {
        let now = wallClock.now()
        let answer = try await client.get(
            origin + path + rest,
            headers: signature.headers(method: "GET", path: path + rest, at: now)
        )
        // It is not known there, or not yet.
        if answer.status == 404 { return nil }
        if let failure = SENSAnswer(answer, asked: now).failure { throw failure }
        let result = GatewayJSON.read(SENSResult.self, from: answer.body)
        guard let result, result.messages.count == 1, result.messages[0].requestID == requestID else { return nil }
        return result.messages[0]
    }
}
