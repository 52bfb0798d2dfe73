import CoreEncodings
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

/// Sends by Meta's WhatsApp Cloud API, with an approved template of the category authentication.
///
/// It has no idempotency key, so a message of unknown fate is not sent again. Source:
/// https://developers.facebook.com/docs/whatsapp/business-management-api/authentication-templates/copy-code-button-authentication-templates.
public struct WhatsAppGateway: MessageGateway {
    public static let standardAddress = "https://graph.facebook.com/v23.0"

    public let name: String
    public let channels: Set<Channel> = [.whatsapp]
    public let reportsDelivery: Bool

    private let account: WhatsAppAccount
    private let template: WhatsAppTemplate
    private let access: VendorAccess
    private let client: GatewayClient

    /// - Parameter reportsDelivery: whether Meta posts statuses (``WhatsAppReceipts``).
    public init(
        name: String = "whatsapp",
        account: WhatsAppAccount,
        template: WhatsAppTemplate,
        reportsDelivery: Bool,
        access: VendorAccess
    ) {
        (self.name, self.account, self.template) = (name, account, template)
        (self.reportsDelivery, self.access) = (reportsDelivery, access)
        client = GatewayClient(connectTimeout: access.connectTimeout)
    }

    public func send(_ message: GatewayMessage) async throws(GatewayFailure) -> GatewayReceipt {
        guard let code = message.variables?.code else { throw .failover("there is no template") }
        let parameters: JSON = [["type": "text", "text": .string(code)]]
        let response = try await client.post(
            json: [
                "messaging_product": "whatsapp", "recipient_type": "individual", "type": "template",
                "to": .string(message.to.e164),
                "template": [
                    "name": .string(template.name),
                    "language": ["code": .string(template.language(for: message.language))],
                    "components": [
                        ["type": "body", "parameters": parameters],
                        // The button that copies the code.
                        ["type": "button", "sub_type": "url", "index": "0", "parameters": parameters],
                    ],
                ],
            ],
            to: "\(access.address)/\(account.phoneNumberID)/messages",
            headers: [("Authorization", "Bearer \(account.accessToken)")]
        )
        return try receipt(in: response)
    }

    private func receipt(in response: GatewayResponse) throws(GatewayFailure) -> GatewayReceipt {
        let content = response.json
        if let failure = response.statusFailure {
            guard let code = content?["error"]?["code"]?.integer else { throw failure }
            throw GatewayFailure.whatsApp(code: code)?.retrying(after: response.retryAfter) ?? failure
        }
        guard let content else { throw response.unreadable }
        // `wamid.…`, with the number in base64.
        return try response.receipt(messageID: content["messages"]?.array?.first?["id"]?.string)
    }
}

extension GatewayFailure {
    /// Nil for an unknown code. Source: https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes.
    static func whatsApp(code: Int) -> GatewayFailure? {
        switch code {
        case 131_026: .refused("the number is not on WhatsApp", code: code)
        case 131_021: .refused("no such number", code: code)
        case 4, 80_007, 130_429, 131_048, 131_056: .busy("the gateway is busy", code: code)
        case 0, 3, 10, 190, 200, 368, 131_005, 131_031, 131_042: .failover("the account was refused", code: code)
        case 132_000, 132_001, 132_005, 132_007, 132_012, 132_015, 132_016:
            .failover("the template was refused", code: code)
        case 1, 2, 131_016, 133_004: .retry("the gateway is down", code: code)
        case 130_497, 131_030, 131_047, 131_049: .failover("the gateway refused the message", code: code)
        default: nil
        }
    }
}

/// The number that messages come from, and the right to send by it.
public struct WhatsAppAccount: Hashable, Sendable, ConcealsSecrets {
    /// Meta's ID of the number: digits.
    public let phoneNumberID: String
    let accessToken: String

    /// `nil` unless the ID is 5 to 20 digits, and the token 1 to 512 printable ASCII characters without spaces.
    public init?(phoneNumberID: String, accessToken: String) {
        guard 5...20 ~= phoneNumberID.utf8.count, phoneNumberID.utf8.allSatisfy(\.isASCIIDigit),
            accessToken.isGatewayKey(1...512)
        else { return nil }
        (self.phoneNumberID, self.accessToken) = (phoneNumberID, accessToken)
    }

    public var description: String { phoneNumberID }
}

/// An approved template of the category authentication, which has the code and a button that copies it.
public struct WhatsAppTemplate: Hashable, Sendable {
    public let name: String
    /// The languages that it is approved in, such as `en_US` and `ko`.
    private let languages: [String]

    /// `nil` unless the name is of lower-case letters, digits and underscores, and there is a language.
    public init?(name: String, languages: [String]) {
        guard 1...512 ~= name.utf8.count,
            name.utf8.allSatisfy({ $0.isASCIILowerCase || $0.isASCIIDigit || $0 == UInt8(ascii: "_") }),
            !languages.isEmpty
        else { return nil }
        (self.name, self.languages) = (name, languages)
    }

    /// The first in this language; the first of all if there is none.
    func language(for tag: LanguageTag) -> String {
        languages.first { $0.prefix { $0 != "_" } == tag.language } ?? languages[0]
    }
}

/// Records the statuses that Meta posts, signed by the app's secret. Source:
/// https://developers.facebook.com/docs/graph-api/webhooks/getting-started.
public struct WhatsAppReceipts: ReportIntake {
    public let signatureHeader: String? = "X-Hub-Signature-256"

    private let gateway: String
    private let secret: String
    private let verifyToken: String?
    private let authenticator: any RequestAuthenticator
    private let dispatcher: OutboxDispatcher

    /// - Parameters:
    ///   - secret: the app's.
    ///   - verifyToken: what Meta sends when the address is entered in its console.
    public init(
        of gateway: String = "whatsapp",
        secret: String,
        verifyToken: String?,
        authenticator: any RequestAuthenticator,
        dispatcher: OutboxDispatcher
    ) {
        (self.gateway, self.secret, self.verifyToken) = (gateway, secret, verifyToken)
        (self.authenticator, self.dispatcher) = (authenticator, dispatcher)
    }

    public func take(_ report: GatewayReport) async throws -> Bool {
        let signature = report.signature
        guard signature.hasPrefix("sha256="),
            try authenticator.isHMACSHA256(signature.dropFirst(7), of: report.body, key: Array(secret.utf8))
        else { return false }
        let changes = try report.content()["entry"]?.array?.flatMap { $0["changes"]?.array ?? [] } ?? []
        let receipts = changes.flatMap { $0["value"]?["statuses"]?.array ?? [] }.compactMap { status in
            status["id"]?.string.flatMap { id in
                Self.outcome(of: status).map { DeliveryReceipt(messageID: id, outcome: $0) }
            }
        }
        try await dispatcher.record(receipts, of: gateway)
        return true
    }

    public func answer(to challenge: GatewayReport) -> String? {
        guard let verifyToken, challenge["hub.mode"] == "subscribe", let token = challenge["hub.verify_token"],
            authenticator.areEqual(Array(token.utf8), Array(verifyToken.utf8))
        else { return nil }
        // Digits, as Meta sends them; nothing else is echoed.
        return challenge["hub.challenge"].flatMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? $0 : nil }
    }

    private static func outcome(of status: JSON) -> DeliveryReceipt.Outcome? {
        switch status["status"]?.string {
        case "delivered", "read": .delivered
        case "failed": .undelivered(code: status["errors"]?.array?.first?["code"]?.integer?.asGatewayCode)
        default: nil
        }
    }
}
