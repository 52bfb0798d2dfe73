import PhoneDomain
public import TextEncodings

/// Sends by Vonage's SMS API.
///
/// The newer Messages API reports only later, to a webhook, what this one returns at once: that the account has
/// insufficient funds, that the number is barred or not served, that the sender is refused. Only so does the next
/// gateway get the message in time.
///
/// Vonage has no idempotency key (`client-ref` is for its reports), so a message of unknown fate is not sent again.
public struct VonageGateway: MessageGateway {
    public static let standardAddress = "https://rest.nexmo.com"

    public let name: String

    private let account: VonageAccount
    private let sender: VonageSender
    private let url: String
    private let client: GatewayClient

    public init(
        name: String = "vonage",
        account: VonageAccount,
        sender: VonageSender,
        address: EndpointURL,
        connectTimeout: Duration
    ) {
        self.name = name
        self.account = account
        self.sender = sender
        url = "\(address)/sms/json"
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        // Unless declared as Unicode, a text beyond GSM-7 arrives with question marks.
        let type = SegmentCount(of: message.body).encoding == .gsm7 ? "text" : "unicode"
        let form = URLEncodedForm([
            ("from", sender.description), ("to", String(message.to.e164.dropFirst())), ("text", message.body),
            ("type", type), ("client-ref", message.dedupeKey),
        ])
        let headers = [GatewayClient.basicAuthorization(user: account.apiKey, password: account.apiSecret)]
        return try VonageResponse(response: try await client.post(form, to: url, headers: headers)).receipt()
    }
}

/// The account that pays for messages. Source: https://developer.vonage.com/en/api/sms.
public struct VonageAccount: Hashable, Sendable, ConcealsSecrets {
    public let apiKey: String
    let apiSecret: String

    /// `nil` unless the key is 8 ASCII letters and digits, and the secret 6 to 128 printable ASCII characters without
    /// spaces.
    public init?(apiKey: String, apiSecret: String) {
        // Vonage's own description says 32 at most. It is Vonage's to refuse a longer one.
        guard apiKey.utf8.count == 8, apiKey.isASCIIAlphanumeric, apiSecret.isGatewayKey(6...128) else { return nil }
        (self.apiKey, self.apiSecret) = (apiKey, apiSecret)
    }

    public var description: String { apiKey }
}

/// The sender of messages. Source: https://developer.vonage.com/en/api/sms.
public struct VonageSender: Hashable, Sendable, LosslessStringConvertible {
    /// As Vonage takes it: a number has no `+`.
    public let description: String

    /// Nil unless it is a number of 3 to 15 digits, or with a `+` one of 7 to 15, or a name of 1 to 11 ASCII letters
    /// and digits, at least one of them a letter. Vonage ignores spaces in names, so none are allowed.
    public init?(_ description: String) {
        guard description.isSenderNumber(withoutPlus: 3...15) || description.isSenderName else { return nil }
        self.description = String(description.drop { $0 == "+" })
    }
}
