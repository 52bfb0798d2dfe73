import CoreEncodings
import PhoneDomain
public import PhoneSignup
import Texts

/// Sends by Solapi, and to KakaoTalk if there is a template for it, with an SMS for those whom that does not reach
/// where one would follow in any case.
///
/// It has no idempotency key, so a message of unknown fate is not sent again; and it pushes no receipts, so it is
/// polled.
public struct SolapiGateway: MessageGateway {
    public static let standardAddress = "https://api.solapi.com"

    public let name: String
    public var channels: Set<Channel> { alimtalk == nil ? [.sms] : [.sms, .kakaotalk] }
    public let receiptsPerRequest: Int? = 50

    private let sender: KoreanSender
    private let alimtalk: Alimtalk?
    private let allowsLongMessages: Bool
    private let access: VendorAccess
    private let signature: SolapiSignature
    private let client: GatewayClient

    /// - Parameters:
    ///   - alimtalk: the KakaoTalk template for codes; nil for SMS alone.
    ///   - allowsLongMessages: whether a text that does not fit an SMS may go as an LMS.
    public init(
        name: String = "solapi",
        account: SolapiAccount,
        sender: KoreanSender,
        alimtalk: Alimtalk?,
        allowsLongMessages: Bool,
        access: VendorAccess
    ) {
        (self.name, self.sender, self.alimtalk) = (name, sender, alimtalk)
        (self.allowsLongMessages, self.access) = (allowsLongMessages, access)
        signature = SolapiSignature(account: account, authenticator: access.authenticator)
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        let form = try KoreanMessage(message, allowsLong: allowsLongMessages || message.isNotice)
        let now = access.wallClock.now()
        let response = try await client.post(
            json: request(message, form),
            to: "\(access.address)/messages/v4/send-many/detail",
            headers: [authorization(at: now)]
        )
        return try SolapiResponse(response: response, signedAt: now).receipt()
    }

    /// Sources: https://github.com/solapi/solapi-nodejs (`src/models/requests/messages/sendMessage.ts`); for the
    /// replacement of a failed Alimtalk: https://github.com/solapi/solapi-asp (`examples/send_replacement.asp`).
    private func request(_ message: GatewayMessage, _ form: KoreanMessage) -> JSON {
        let (to, from) = (JSON.string(form.to), JSON.string(sender.description))
        let text = JSON.string(message.body)
        // With type detection a text that is too long would silently become an LMS, which costs more.
        var members: [String: JSON] = [
            "autoTypeDetect": false, "country": .string(form.country), "from": from, "to": to,
        ]
        if message.channel == .kakaotalk, let alimtalk, let variables = message.variables {
            let values = alimtalk.variables.map { ($0.name, JSON.string($0.filled(variables))) }
            members["type"] = "ATA"
            members["kakaoOptions"] = [
                "disableSms": .bool(!message.fallsBackToSMS), "pfId": .string(alimtalk.channelID),
                "templateId": .string(alimtalk.templateID),
                "variables": JSON(sorted: Dictionary(values) { first, _ in first }),
            ]
            // Sent instead of an Alimtalk that fails, sooner than we could.
            if message.fallsBackToSMS { members["replacements"] = [["from": from, "text": text, "to": to]] }
        } else {
            members["type"] = .string(form.kind.rawValue)
            members["text"] = text
        }
        return ["messages": [JSON(sorted: members)], "showMessageList": true]
    }

    public func receipts(for messageIDs: [String]) async throws(GatewayFailure) -> [DeliveryReceipt] {
        let query = messageIDs.enumerated().map { "messageIds%5B\($0)%5D=\($1.percentEncoded)" }
        let now = access.wallClock.now()
        let response = try await client.get(
            "\(access.address)/messages/v4/list?limit=\(messageIDs.count)&\(query.joined(separator: "&"))",
            headers: [authorization(at: now)]
        )
        if let failure = SolapiResponse(response: response, signedAt: now).failure { throw failure }
        guard let content = response.json else { throw response.unreadable }
        let messages = content["messageList"]
        return messageIDs.compactMap { id in
            SolapiResponse.outcome(of: id, in: messages).map { DeliveryReceipt(messageID: id, outcome: $0) }
        }
    }

    private func authorization(at now: Timestamp) throws(GatewayFailure) -> GatewayClient.Header {
        do {
            let salt = try access.identifiers.makeIdentifier(of: OutboxMessage.self).hexadecimal
            return try signature.header(date: now.description, salt: salt)
        } catch {
            throw .failover("the request cannot be signed")
        }
    }
}

/// The account at Solapi (or CoolSMS, which is the same) that pays for messages.
public struct SolapiAccount: Hashable, Sendable, ConcealsSecrets {
    public let apiKey: String
    let apiSecret: String

    /// `nil` unless the key is 1 to 64 ASCII letters and digits, and the secret 1 to 128 printable ASCII characters
    /// without spaces.
    public init?(apiKey: String, apiSecret: String) {
        guard 1...64 ~= apiKey.utf8.count, apiKey.isASCIIAlphanumeric, apiSecret.isGatewayKey() else { return nil }
        (self.apiKey, self.apiSecret) = (apiKey, apiSecret)
    }

    public var description: String { apiKey }
}

/// Source: https://github.com/solapi/solapi-nodejs/blob/master/src/lib/authenticator.ts.
struct SolapiSignature {
    let account: SolapiAccount
    let authenticator: any RequestAuthenticator

    /// - Parameters:
    ///   - date: in RFC 3339.
    ///   - salt: unique, 12 to 64 characters.
    func header(date: String, salt: String) throws -> GatewayClient.Header {
        let digest = try authenticator.hmacSHA256(of: Array((date + salt).utf8), key: Array(account.apiSecret.utf8))
        return (
            "Authorization",
            "HMAC-SHA256 apiKey=\(account.apiKey), date=\(date), salt=\(salt), "
                + "signature=\(TextEncoding.hexadecimal.encode(digest))"
        )
    }
}

/// A template of Kakao's Alimtalk, approved before, by which codes go to KakaoTalk instead of as SMS.
public struct Alimtalk: Hashable, Sendable {
    /// The channel that messages come from (`pfId`).
    public let channelID: String
    public let templateID: String
    public let variables: [AlimtalkVariable]

    /// `nil` unless both IDs are 1 to 64 ASCII letters and digits, variable names are unique, and one variable contains
    /// the code.
    public init?(channelID: String, templateID: String, variables: [AlimtalkVariable]) {
        guard [channelID, templateID].allSatisfy({ 1...64 ~= $0.utf8.count && $0.isASCIIAlphanumeric }),
            Set(variables.map(\.name)).count == variables.count, variables.contains(where: \.containsCode)
        else { return nil }
        (self.channelID, self.templateID, self.variables) = (channelID, templateID, variables)
    }
}

/// The value of a variable of an Alimtalk template, written `#{name}={{code}}`.
///
/// The value may have text around `{{code}}`, `{{service}}` (the service's name) and `{{minutes}}` (how long the code
/// is valid).
public struct AlimtalkVariable: Hashable, Sendable, LosslessStringConvertible {
    private enum Variable: String {
        case code, service, minutes
    }

    private enum Malformed: Error {
        case value
    }

    public let description: String
    /// The name in Kakao's template: `#{name}`.
    let name: String
    private let value: Template<Variable>

    var containsCode: Bool { value.variables.contains(.code) }

    /// Nil unless it is a name within `#{` and `}`, of 1 to 50 characters and without a dot or a brace
    /// (https://github.com/solapi/solapi-nodejs/blob/master/src/models/base/kakao/kakaoOption.ts), then `=`, and then a
    /// value of 1 to 100 characters with no other variables than those above.
    public init?(_ description: String) {
        let description = description.inNFC
        guard description.hasPrefix("#{"), let end = description.firstRange(of: "}=") else { return nil }
        let bare = description[..<end.lowerBound].dropFirst(2)
        let value = String(description[end.upperBound...])
        guard 1...50 ~= bare.count, !bare.contains(where: { ".{}=".contains($0) || $0.isNewline }),
            1...100 ~= value.count, !value.contains(where: \.isNewline)
        else { return nil }
        let template = try? Template<Variable>(
            value[...],
            unclosed: Malformed.value,
            checkLiteral: { (literal) throws(Malformed) in if literal.contains("}}") { throw .value } },
            variable: { (name) throws(Malformed) in
                guard let variable = Variable(rawValue: name) else { throw .value }
                return variable
            }
        )
        guard let template else { return nil }
        self.description = description
        name = "#{\(bare)}"
        self.value = template
    }

    func filled(_ variables: MessageVariables) -> String {
        value.filled { variable in
            switch variable {
            case .code: variables.code
            case .service: variables.service
            case .minutes: "\(variables.minutes)"
            }
        }
    }
}

/// Interprets a response of Solapi to a message.
///
/// | response | meaning |
/// |---|---|
/// | 200 with nothing in `failedMessageList` and an accepted message (2xxx) in `messageList` | accepted |
/// | 200 with something in `failedMessageList`, or a message with another code | surely not sent by this gateway |
/// | 2xx that is unreadable or has no message ID | unknown |
/// | 402 | surely not accepted: the account has insufficient funds |
/// | 401, 403 while the two clocks are fifteen minutes apart | surely not accepted: one of the clocks is wrong |
/// | anything else | what the status means (``GatewayResponse/statusFailure``) |
///
/// Sources: https://github.com/solapi/solapi-nodejs (`src/models/responses`),
/// https://developers.solapi.com/references/.
struct SolapiResponse {
    let response: GatewayResponse
    let signedAt: Timestamp

    func receipt() throws(GatewayFailure) -> GatewayReceipt {
        if let failure { throw failure }
        guard let content = response.json, content.isObject else { throw response.unreadable }
        if let failed = content["failedMessageList"]?.array?.first {
            throw Self.refusal(failed["statusCode"]?.integer)
        }
        let message = content["messageList"]?.array?.first
        if let code = message?["statusCode"]?.integer, !(2000..<3000).contains(code) { throw Self.refusal(code) }
        return try response.receipt(messageID: message?["messageId"]?.string)
    }

    /// Nil for 2xx.
    var failure: GatewayFailure? {
        guard let failure = response.statusFailure else { return nil }
        switch response.status {
        case 401, 403:
            return response.isSkewed(from: signedAt, by: .seconds(900))
                ? .failover("the clocks are over fifteen minutes apart", code: response.status) : failure
        case 402: return .failover("the account has insufficient funds", code: response.status)
        default: return failure
        }
    }

    /// Only the code of an unregistered sender is known; the others may mean anything, so another gateway is asked.
    private static func refusal(_ code: Int?) -> GatewayFailure {
        code == 1062
            ? .failover("the sender was refused", code: code) : .failover("the gateway refused the message", code: code)
    }

    /// The outcome of a message in a list of messages by their IDs; nil while it is unknown.
    ///
    /// Code 4000 means delivered, 2000 to 3000 in transit, and any other lost
    /// (https://developers.solapi.com/references/message-status-codes). A lost Alimtalk may have been replaced by a
    /// text, which this does not report.
    static func outcome(of id: String, in messages: JSON?) -> DeliveryReceipt.Outcome? {
        guard let message = messages?[id], message["messageId"]?.string == id else { return nil }
        switch message["statusCode"]?.integer {
        case 4000: return .delivered
        case let code? where 1000..<2000 ~= code || 3001..<4000 ~= code:
            return message["type"]?.string == "ATA" ? nil : .undelivered(code: code)
        default: return nil
        }
    }
}
