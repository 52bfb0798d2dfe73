import PhoneDomain

/// Sends by Twilio's Messages API, or by whatever speaks it, such as `phoneproof sms-stub`.
///
/// Twilio knows no key by which to tell a repetition, so a message of unknown fate is not handed over again.
public struct TwilioGateway: MessageGateway {
    /// Twilio itself.
    public static let standardAddress = "https://api.twilio.com"

    public let name = "twilio"

    private let account: TwilioAccount
    private let sender: TwilioSender
    private let url: String
    private let statusCallback: CallbackAddress?
    private let client: GatewayClient

    /// A gateway with connections of its own.
    ///
    /// - Parameters:
    ///   - account: who pays.
    ///   - sender: whom messages come from.
    ///   - address: where the API is.
    ///   - statusCallback: where it is to report how messages fared (``TwilioReceipts``); nil for nowhere.
    ///   - connectTimeout: how long to wait for a connection, the handshake of TLS among it. Shorter than the time that a
    ///     message has at a gateway, so that what is not there is told from what does not answer.
    public init(
        account: TwilioAccount,
        sender: TwilioSender,
        address: GatewayAddress,
        statusCallback: CallbackAddress? = nil,
        connectTimeout: Duration
    ) {
        self.statusCallback = statusCallback
        self.account = account
        self.sender = sender
        url = "\(address)/2010-04-01/Accounts/\(account.sid)/Messages.json"
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let fields = [("To", message.to.e164), (sender.field, sender.description), ("Body", message.body)]
        let form = URLEncodedForm(fields + (statusCallback.map { [("StatusCallback", $0.description)] } ?? []))
        let answer = try await client.post(
            form.bytes,
            contentType: URLEncodedForm.contentType,
            to: url,
            headers: [GatewayClient.basicAuthorization(user: account.sid, password: account.authToken)]
        )
        return try TwilioAnswer(answer).receipt()
    }
}
