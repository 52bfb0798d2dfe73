public import CoreEncodings
import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// Sends by Twilio's Messages API, calls by its Calls API, or by a server that implements it, such as `phoneproof
/// sms-stub`.
///
/// Twilio has no idempotency key, so a message of unknown fate is not sent again.
public struct TwilioGateway: MessageGateway {
    public static let standardAddress = "https://api.twilio.com"

    public let name: String
    public var reportsDelivery: Bool { statusCallback != nil }

    private let account: TwilioAccount
    private let sender: TwilioSender
    private let senders: [RatedSender<TwilioSender>]
    public var messagesPerSecond: [Double] { senders.map(\.perSecond) }
    /// What it can send by; `whatsapp` needs a template, and `rcs` a messaging service with such a sender, by which
    /// Twilio sends an SMS to phones without it.
    public let channels: Set<Channel>
    private let contentSID: TwilioContentSID?
    private let url: String
    private let statusCallback: EndpointURL?
    private let reportsEntries: Bool
    private let client: GatewayClient

    /// - Parameters:
    ///   - senders: take the place of `sender`, if there are any.
    ///   - contentSID: the approved WhatsApp template, with the code as its variable 1.
    ///   - statusCallback: where Twilio posts delivery receipts (``TwilioReceipts``); nil for none.
    ///   - reportsEntries: whether Twilio is notified that the code of an SMS was entered.
    ///   - connectTimeout: shorter than the timeout of a message (``GatewayClient``), here and for every gateway.
    public init(
        name: String = "twilio",
        account: TwilioAccount,
        sender: TwilioSender,
        senders: [RatedSender<TwilioSender>] = [],
        channels: Set<Channel> = [.sms],
        contentSID: TwilioContentSID? = nil,
        address: EndpointURL,
        statusCallback: EndpointURL? = nil,
        reportsEntries: Bool = false,
        connectTimeout: Duration
    ) {
        self.reportsEntries = reportsEntries
        (self.name, self.statusCallback, self.account, self.sender) = (name, statusCallback, account, sender)
        (self.senders, self.channels, self.contentSID) = (senders, channels, contentSID)
        url = "\(address)/2010-04-01/Accounts/\(account.sid)"
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let sender = senders.sender(of: message, orElse: sender)
        // To `rcs:` and a number Twilio sends no SMS instead.
        var fields = [("To", message.channel == .rcs ? message.to.e164 : message.address)]
        switch message.channel {
        case .call: fields += [("From", sender.description), ("Twiml", TwilioVoice.twiml(message))]
        case .whatsapp:
            guard let contentSID, let variables = message.variables else { throw .failover("there is no template") }
            let from = sender.field == "From" ? "whatsapp:\(sender)" : sender.description
            let values: JSON = ["1": .string(variables.code)]
            fields += [
                (sender.field, from), ("ContentSid", contentSID.description), ("ContentVariables", values.text),
            ]
        default: fields += [(sender.field, sender.description), ("Body", message.body)]
        }
        if let statusCallback { fields.append(("StatusCallback", statusCallback.description)) }
        if takesFeedback(by: message.channel) { fields.append(("ProvideFeedback", "true")) }
        let resource = message.channel == .call ? "Calls" : "Messages"
        let response = try await client.post(URLEncodedForm(fields), to: "\(url)/\(resource).json", headers: headers)
        return try TwilioResponse(response: response).receipt()
    }

    private var headers: [GatewayClient.Header] {
        [GatewayClient.basicAuthorization(user: account.sid, password: account.authToken)]
    }

    public func takesFeedback(by channel: Channel) -> Bool { reportsEntries && channel == .sms }

    /// Source: https://www.twilio.com/docs/messaging/api/message-feedback-resource.
    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        let url = "\(url)/Messages/\(entry.messageID.percentEncoded)/Feedback.json"
        let form = URLEncodedForm([("Outcome", "confirmed")])
        try await client.post(form, to: url, headers: headers).requireSuccess()
    }
}

/// What a call says, in TwiML (https://www.twilio.com/docs/voice/twiml/say): a sentence after the other, slowly enough
/// to write the digits down.
enum TwilioVoice {
    /// Of languages that the standard voice does not speak, one by name
    /// (https://www.twilio.com/docs/voice/twiml/say/text-speech).
    private static let voices: [String: String] = {
        let standard = ["de-DE", "es-ES", "fr-FR", "ja-JP", "ko-KR", "pt-BR", "zh-CN"].map { "language=\"\($0)\"" }
        let named = ["ar-XA", "hi-IN", "id-ID", "vi-VN"].map { "language=\"\($0)\" voice=\"Google.\($0)-Standard-A\"" }
        return Dictionary(uniqueKeysWithValues: (standard + named).map { (String($0.dropFirst(10).prefix(2)), $0) })
    }()

    static func twiml(_ message: GatewayMessage) -> String {
        let voice = voices[message.language.language] ?? "language=\"en-US\""
        let sentences = message.body.split(separator: "\n").map {
            "<Say \(voice)>\(RequestFormat.xml.escaped(String($0)))</Say>"
        }
        return "<Response>\(sentences.joined(separator: "<Pause length=\"1\"/>"))</Response>"
    }
}

/// An approved template (https://www.twilio.com/docs/content/content-api-resources): `HX` and 32 hexadecimal digits.
public struct TwilioContentSID: Hashable, Sendable, LosslessStringConvertible {
    public let description: String

    public init?(_ description: String) {
        guard description.isTwilioSID(prefix: "HX") else { return nil }
        self.description = description
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
    /// Whether it is a number that can call.
    public var isNumber: Bool { description.hasPrefix("+") }
    public var isMessagingService: Bool { field == "MessagingServiceSid" }

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

extension StringProtocol {
    /// Whether it is one of Twilio's IDs: two letters and 32 hexadecimal digits in either case.
    package func isTwilioSID(prefix: String) -> Bool {
        hasPrefix(prefix) && utf8.count == 34
            && utf8.dropFirst(2).allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
    }
}

/// Interprets a response of Twilio's Messages API.
///
/// | response | meaning |
/// |---|---|
/// | 2xx with a message's SID | accepted |
/// | 2xx with a failed message, or an error instead of a message | surely not sent; the error code determines what follows |
/// | 2xx that is unreadable, has no SID, or contradicts itself | unknown |
/// | 4xx other than 408 and 425 | surely not accepted; the error code determines what follows |
/// | any other | what its status means (``GatewayResponse/statusFailure``) |
///
/// Source: https://www.twilio.com/docs/messaging/api/message-resource,
/// https://www.twilio.com/docs/usage/twilios-response.
struct TwilioResponse {
    let response: GatewayResponse

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        let content = response.json
        let code = content?["code"]?.integer
        if let failure = response.statusFailure {
            throw (400..<500).contains(response.status) ? refinedFailure(code, failure) : failure
        }
        guard let content, content.isObject else { throw response.unreadable }
        let (sid, status) = (content["sid"]?.string, content["status"]?.string)
        let errorCode = content["error_code"]?.integer
        if ["failed", "undelivered", "canceled", "busy", "no-answer"].contains(status) {
            throw .refusal(twilioCode: errorCode)
        }
        if sid == nil, let code { throw .refusal(twilioCode: code) }
        // An error of any type is an error.
        if (content["error_code"] ?? .null) != .null {
            guard status == nil else { throw .ambiguous("the response contradicts itself", code: errorCode) }
            throw .refusal(twilioCode: errorCode)
        }
        return try response.receipt(messageID: sid)
    }

    /// The failure by the error code, where the status is not specific.
    private func refinedFailure(_ code: Int?, _ failure: GatewayFailure) -> GatewayFailure {
        guard let code else { return failure }
        switch response.status {
        case 408, 425: return failure
        case 429: return .busy(after: response.retryAfter, "the gateway is busy", code: code)
        case 401, 403: return .twilio(code: code) ?? failure
        default: return .refusal(twilioCode: code).retrying(after: response.retryAfter)
        }
    }
}

extension GatewayFailure {
    /// Nil for an unknown code. Source: https://www.twilio.com/docs/api/errors.
    fileprivate static func twilio(code: Int) -> GatewayFailure? {
        switch code {
        case 21211: .refused("no such number", code: code)
        case 21610: .refused("the recipient has opted out", code: code)
        case 13224, 21216, 21219: .refused("the number cannot be called", code: code)
        case 63003, 63024: .refused("the number is not on WhatsApp", code: code)
        case 21614, 30006: .refused("the number cannot receive text messages", code: code)
        case 21617: .refused("the text is too long", code: code)
        case 20003, 20005, 20404, 30002: .failover("the account was refused", code: code)
        case 21210, 21212, 21603, 21606, 63007, 63016, 63027: .failover("the sender was refused", code: code)
        // This sender, and others reach it: https://www.twilio.com/docs/api/errors/21612.
        case 21612: .failover("the sender cannot reach the number", code: code)
        case 21215, 21408: .failover("the gateway does not serve the country", code: code)
        case 14107, 20429, 21611, 30001: .busy("the gateway is busy", code: code)
        case 20500, 20503: .retry("the gateway is down", code: code)
        default: nil
        }
    }

    /// The meaning of a Twilio error code; for an unknown one, another gateway may accept what this one does not.
    package static func refusal(twilioCode code: Int?) -> GatewayFailure {
        code.flatMap(twilio) ?? .failover("the gateway refused the message", code: code)
    }
}
