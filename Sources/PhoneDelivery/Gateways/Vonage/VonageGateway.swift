import PhoneDomain

/// Sends by Vonage's SMS API.
///
/// It is that and not the newer Messages API, since it answers at once what that one reports only later and to a webhook:
/// that the account is out of money, that the number is barred or not served, that the sender is refused. Only so has the
/// next gateway the message in time.
///
/// Vonage knows no key by which to tell a repetition (`client-ref` is a mark for its reports), so a message of unknown fate
/// is not handed over again.
public struct VonageGateway: MessageGateway {
    /// Vonage itself.
    public static let standardAddress = "https://rest.nexmo.com"

    public let name = "vonage"

    private let account: VonageAccount
    private let sender: VonageSender
    private let url: String
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - account: who pays.
    ///   - sender: whom messages come from.
    ///   - address: where the API is.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(account: VonageAccount, sender: VonageSender, address: GatewayAddress, connectTimeout: Duration) {
        self.account = account
        self.sender = sender
        url = "\(address)/sms/json"
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        // A text that GSM-7 lacks a character of arrives with question marks in it, unless it is called Unicode.
        let type = SegmentCount(of: message.body).encoding == .gsm7 ? "text" : "unicode"
        let form = URLEncodedForm([
            ("from", sender.description), ("to", String(message.to.e164.dropFirst())), ("text", message.body),
            ("type", type), ("client-ref", message.dedupeKey),
        ])
        let answer = try await client.post(
            form.bytes,
            contentType: URLEncodedForm.contentType,
            to: url,
            headers: [GatewayClient.basicAuthorization(user: account.apiKey, password: account.apiSecret)]
        )
        return try VonageAnswer(answer: answer).receipt()
    }
}
