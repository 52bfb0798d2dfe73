import PhoneDomain
public import TextEncodings

/// Sends by Twilio's Messages API, or by a server that implements it, such as `phoneproof sms-stub`.
///
/// Twilio has no idempotency key, so a message of unknown fate is not sent again.
public struct TwilioGateway: MessageGateway {
    public static let standardAddress = "https://api.twilio.com"

    public let name = "twilio"
    public var reportsDelivery: Bool { statusCallback != nil }

    private let account: TwilioAccount
    private let sender: TwilioSender
    private let url: String
    private let statusCallback: EndpointURL?
    private let client: GatewayClient

    /// - Parameters:
    ///   - statusCallback: where Twilio posts delivery receipts (``TwilioReceipts``); nil for none.
    ///   - connectTimeout: shorter than the timeout of a message (``GatewayClient``), here and for every gateway.
    public init(
        account: TwilioAccount,
        sender: TwilioSender,
        address: EndpointURL,
        statusCallback: EndpointURL? = nil,
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
        let headers = [GatewayClient.basicAuthorization(user: account.sid, password: account.authToken)]
        return try TwilioResponse(response: try await client.post(form, to: url, headers: headers)).receipt()
    }
}

/// The account that pays for messages.
public struct TwilioAccount: Hashable, Sendable, ConcealsSecrets {
    public let sid: String
    let authToken: String

    /// `nil` unless the SID is `AC` and 32 hexadecimal digits, and the token 1 to 128 printable ASCII characters
    /// without spaces.
    public init?(sid: String, authToken: String) {
        guard sid.isTwilioSID(prefix: "AC"), authToken.isGatewayKey() else { return nil }
        (self.sid, self.authToken) = (sid, authToken)
    }

    public var description: String { sid }
}

/// The sender of messages. Source:
/// https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource.
public struct TwilioSender: Hashable, Sendable, LosslessStringConvertible {
    public let description: String
    /// The form field that takes it.
    let field: String

    /// `nil` unless it is a number with `+` and 7 to 15 digits, a short code of 3 to 8 digits, a messaging service
    /// (`MG` and 32 hexadecimal digits), or a name of 1 to 11 ASCII letters, digits and inner spaces, at least one of
    /// them a letter.
    public init?(_ description: String) {
        let isMessagingService = description.isTwilioSID(prefix: "MG")
        guard isMessagingService || description.isSenderNumber(withoutPlus: 3...8) || Self.isName(description.utf8)
        else { return nil }
        self.description = description
        field = isMessagingService ? "MessagingServiceSid" : "From"
    }

    private static func isName(_ text: String.UTF8View) -> Bool {
        let space = UInt8(ascii: " ")
        return 1...11 ~= text.count && text.first != space && text.last != space
            && text.contains(where: \.isASCIILetter) && text.allSatisfy { $0.isASCIIAlphanumeric || $0 == space }
    }
}

extension String {
    /// Whether it is one of Twilio's IDs: two letters and 32 hexadecimal digits.
    fileprivate func isTwilioSID(prefix: String) -> Bool {
        hasPrefix(prefix) && utf8.count == 34
            && utf8.dropFirst(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}
