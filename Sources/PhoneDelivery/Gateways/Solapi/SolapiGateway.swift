public import PhoneDomain

/// Sends by Solapi, in KakaoTalk first if there is a template for it, with an SMS for those whom that does not reach.
///
/// It knows no key by which to tell a repetition, so a message of unknown fate is not handed over again; and it says nothing
/// by itself of how messages fared, so it is asked.
public struct SolapiGateway: ReceiptSource {
    /// Solapi itself.
    public static let standardAddress = "https://api.solapi.com"

    public let name = "solapi"
    public let mostAskedAtOnce = 50

    private let account: SolapiAccount
    private let sender: KoreanSender
    private let alimtalk: Alimtalk?
    private let allowsLongMessages: Bool
    private let address: GatewayAddress
    private let signature: SolapiSignature
    private let identifiers: any IdentifierSource
    private let wallClock: any WallClock
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - account: who pays.
    ///   - sender: whom messages come from.
    ///   - alimtalk: the template in which codes go to KakaoTalk; nil for SMS alone.
    ///   - allowsLongMessages: whether a text that does not fit an SMS may go as an LMS.
    ///   - address: where the API is.
    ///   - authenticator: makes signatures.
    ///   - identifiers: makes what sets one signature apart from another.
    ///   - wallClock: says what time it is: requests that are fifteen minutes off are refused.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(
        account: SolapiAccount,
        sender: KoreanSender,
        alimtalk: Alimtalk?,
        allowsLongMessages: Bool,
        address: GatewayAddress,
        authenticator: any RequestAuthenticator,
        identifiers: any IdentifierSource,
        wallClock: any WallClock,
        connectTimeout: Duration
    ) {
        self.account = account
        self.sender = sender
        self.alimtalk = alimtalk
        self.allowsLongMessages = allowsLongMessages
        self.address = address
        signature = SolapiSignature(account: account, authenticator: authenticator)
        self.identifiers = identifiers
        self.wallClock = wallClock
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let form = try KoreanMessage(message, allowsLong: allowsLongMessages)
        let request = SolapiRequest(message, form, from: sender, alimtalk: alimtalk)
        guard let body = GatewayJSON.bytes(of: request) else { throw .failover("the text cannot be written in JSON") }
        let now = wallClock.now()
        let answer = try await client.post(
            body,
            contentType: GatewayJSON.contentType,
            to: "\(address)/messages/v4/send-many/detail",
            headers: [authorization(at: now)]
        )
        return try SolapiAnswer(answer, asked: now).receipt()
    }

    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        let names = messageIDs.enumerated().map { "messageIds%5B\($0)%5D=\($1.percentEncoded)" }
        let now = wallClock.now()
        let answer = try await client.get(
            "\(address)/messages/v4/list?limit=\(messageIDs.count)&\(names.joined(separator: "&"))",
            headers: [authorization(at: now)]
        )
        if let failure = SolapiAnswer(answer, asked: now).failure { throw failure }
        guard let result = GatewayJSON.read(SolapiResult.self, from: answer.body) else { return [] }
        return messageIDs.compactMap { id in
            guard let message = result.messageList[id], message.id == id, let outcome = message.outcome else {
                return nil
            }
            return DeliveryReceipt(messageID: id, outcome: outcome)
        }
    }

    private func authorization(at now: Timestamp) throws(GatewayFailure) -> GatewayClient.Header {
        let bits: (UInt64, UInt64)
        do {
            bits = try identifiers.makeBits()
        } catch {
            throw .failover("the request cannot be signed")
        }
        return try signature.header(date: now.description, salt: bits.0.salt + bits.1.salt)
    }
}

extension UInt64 {
    fileprivate var salt: String {
        let digits = String(self, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
