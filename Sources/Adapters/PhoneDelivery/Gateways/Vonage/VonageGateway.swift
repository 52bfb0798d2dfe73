public import CoreEncodings
import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// Sends by Vonage's SMS API, and calls by its Voice API.
///
/// The newer Messages API reports only later, to a webhook, what this one returns at once: that the account has
/// insufficient funds, that the number is barred or not served, that the sender is refused. Only so does the next
/// gateway get the message in time.
///
/// Vonage has no idempotency key (`client-ref` is for its reports), so a message of unknown fate is not sent again.
public struct VonageGateway: MessageGateway {
    public static let standardAddress = "https://rest.nexmo.com"

    public let name: String

    public let channels: Set<Channel>

    private let account: VonageAccount
    private let voice: VonageVoice?
    private let sender: VonageSender
    private let senders: [RatedSender<VonageSender>]
    public var messagesPerSecond: [Double] { senders.map(\.perSecond) }
    private let url: String
    private let conversions: EndpointURL?
    private let client: GatewayClient

    /// - Parameters:
    ///   - senders: take the place of `sender`, if there are any.
    ///   - conversions: whose Conversion API is notified that the code of an SMS was entered; nil for none.
    public init(
        name: String = "vonage",
        account: VonageAccount,
        sender: VonageSender,
        senders: [RatedSender<VonageSender>] = [],
        channels: Set<Channel> = [.sms],
        voice: VonageVoice? = nil,
        address: EndpointURL,
        conversions: EndpointURL? = nil,
        connectTimeout: Duration
    ) {
        self.conversions = conversions
        (self.name, self.account, self.sender) = (name, account, sender)
        (self.senders, self.channels, self.voice) = (senders, channels, voice)
        url = "\(address)/sms/json"
        client = GatewayClient(connectTimeout: connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        if message.channel == .call { return try await call(message) }
        // Unless declared as Unicode, a text beyond GSM-7 arrives with question marks.
        let type = SegmentCount(of: message.body).encoding == .gsm7 ? "text" : "unicode"
        let form = URLEncodedForm([
            ("from", senders.sender(of: message, orElse: sender).description),
            ("to", String(message.to.e164.dropFirst())), ("text", message.body),
            ("type", type), ("client-ref", message.dedupeKey),
        ])
        let headers = [GatewayClient.basicAuthorization(user: account.apiKey, password: account.apiSecret)]
        return try VonageResponse(response: try await client.post(form, to: url, headers: headers)).receipt()
    }

    public func takesFeedback(by channel: Channel) -> Bool { conversions != nil && channel == .sms }

    /// All is in the query. Source: https://developer.vonage.com/en/api/conversion.
    public func report(_ entry: CodeEntry) async throws(GatewayFailure) {
        guard let conversions else { return }
        let time = entry.moment.description.prefix { $0 != "." }.replacing("T", with: " ")
        let query = URLEncodedForm([
            ("api_key", account.apiKey), ("api_secret", account.apiSecret), ("message-id", entry.messageID),
            ("delivered", "true"), ("timestamp", String(time)),
        ])
        let url = "\(conversions)/conversions/sms?" + String(decoding: query.bytes, as: UTF8.self)
        try await client.post(URLEncodedForm([]), to: url, headers: []).requireSuccess()
    }
}

extension VonageGateway {
    /// https://developer.vonage.com/en/voice/voice-api/concepts/text-to-speech
    private static let voices = [
        "ar": "ar", "de": "de-DE", "es": "es-ES", "fr": "fr-FR", "hi": "hi-IN", "id": "id-ID", "ja": "ja-JP",
        "ko": "ko-KR", "pt": "pt-BR", "vi": "vi-VN", "zh": "cmn-CN",
    ]

    /// Source: https://developer.vonage.com/en/api/voice. A call that is not answered is reported to a webhook only.
    private func call(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        guard let voice else { throw .failover("the gateway makes no calls") }
        let language = JSON.string(Self.voices[message.language.language] ?? "en-US")
        let words = message.body.split(separator: "\n").map { sentence -> JSON in
            ["action": "talk", "language": language, "text": .string(String(sentence))]
        }
        let response = try await client.post(
            json: [
                "to": [["type": "phone", "number": .string(String(message.to.e164.dropFirst()))]],
                "from": ["type": "phone", "number": .string(senders.sender(of: message, orElse: sender).description)],
                "ncco": .array(words),
            ],
            to: "\(voice.access.address)/v1/calls",
            headers: [("Authorization", "Bearer \(try await voice.token())")]
        )
        if let failure = response.statusFailure { throw failure }
        return try response.receipt(messageID: response.json?["uuid"]?.string)
    }
}

/// What calls need beside the account: an application and its private key.
public struct VonageVoice: Sendable {
    public static let standardAddress = "https://api.nexmo.com"
    private static let lifetime: Int64 = 60

    let access: VendorAccess
    private let applicationID: String
    private let sign: @Sendable (_ claims: JSON) async throws -> String

    /// Nil unless the ID is a UUID.
    ///
    /// - Parameter sign: makes a JSON Web Token by RS256 with the application's private key.
    public init?(applicationID: String, access: VendorAccess, sign: @escaping @Sendable (JSON) async throws -> String) {
        let uuid = /[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}/
        guard applicationID.wholeMatch(of: uuid) != nil else { return nil }
        (self.applicationID, self.access, self.sign) = (applicationID, access, sign)
    }

    /// Source: https://developer.vonage.com/en/getting-started/concepts/authentication, "JSON Web Tokens".
    func token() async throws(GatewayFailure) -> String {
        do {
            let id = try access.identifiers.makeIdentifier(of: OutboxMessage.self)
            let now = access.wallClock.now().milliseconds / 1000
            return try await sign([
                "application_id": .string(applicationID), "iat": .integer(now), "exp": .integer(now + Self.lifetime),
                "jti": .string(id.hexadecimal),
            ])
        } catch {
            throw .failover("the request cannot be signed")
        }
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
    /// The form that Vonage takes: a number has no `+`.
    public let description: String
    /// Whether it is a number that can call.
    public var isNumber: Bool { description.allSatisfy(\.isNumber) }

    /// Nil unless it is a number of 3 to 15 digits, or with a `+` one of 7 to 15, or a name of 1 to 11 ASCII letters
    /// and digits, at least one of them a letter. Vonage ignores spaces in names, so none are allowed.
    public init?(_ description: String) {
        guard description.isSenderNumber(withoutPlus: 3...15) || description.isSenderName else { return nil }
        self.description = String(description.drop { $0 == "+" })
    }
}

/// Interprets a response of Vonage's SMS API. Its status is always 200, with a status of its own for each SMS of a
/// text.
///
/// | response | meaning |
/// |---|---|
/// | 2xx, every SMS with status 0 | accepted; the ID is that of the first |
/// | 2xx, every SMS with another status | surely not sent; the first one's status determines what follows |
/// | 2xx, some with status 0 and some not | a part was accepted, which a retry would send twice |
/// | 2xx that is unreadable, has another count than it lists, or no message ID | unknown |
/// | any other | what its status means (``GatewayResponse/statusFailure``) |
///
/// Source: https://developer.vonage.com/en/api/sms.
struct VonageResponse {
    let response: GatewayResponse

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure = response.statusFailure { throw failure }
        guard let content = response.json, let messages = content["messages"]?.array, let first = messages.first
        else { throw response.unreadable }
        let statuses = messages.map { $0["status"]?.integer }
        guard let refused = statuses.first(where: { $0 != 0 }) else {
            guard [nil, messages.count].contains(content["message-count"]?.integer) else {
                throw .ambiguous("the response contradicts itself", code: response.status)
            }
            return try response.receipt(messageID: first["message-id"]?.string)
        }
        guard !statuses.contains(0) else { throw .ambiguous("only part of the message was accepted", code: refused) }
        guard let status = refused, !statuses.contains(nil) else { throw response.unreadable }
        throw Self.failure(status)
    }

    /// The meaning of a message's status other than 0; for an unknown one, another gateway may accept what this one
    /// does not.
    ///
    /// Source: https://developer.vonage.com/en/api-errors/sms. A number that is barred or out of use is so for any
    /// gateway; one whose prefix is not recognised is only unknown to Vonage, since it is valid in the numbering plan.
    private static func failure(_ status: Int) -> GatewayFailure {
        switch status {
        case 1, 10: .busy("the gateway is busy", code: status)
        case 4, 8, 11, 14, 32: .failover("the account was refused", code: status)
        case 5: .retry("the gateway is down", code: status)
        case 6: .failover("the gateway does not serve the number", code: status)
        case 7: .refused("the number is barred", code: status)
        case 9: .failover("the account has insufficient funds", code: status)
        case 12: .refused("the text is too long", code: status)
        case 15, 39: .failover("the sender was refused", code: status)
        case 29: .failover("the account may not send to this number", code: status)
        case 33: .refused("the number is no longer in service", code: status)
        // 2, 3, 22 and 23 are unspecified invalid parameters.
        default: .failover("the gateway refused the message", code: status)
        }
    }
}
