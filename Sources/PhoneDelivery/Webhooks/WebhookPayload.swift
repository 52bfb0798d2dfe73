import FoundationEssentials
import PhoneDomain

/// What is told of an event: `{"data": {…}, "timestamp": "…", "type": "…"}`, as Standard Webhooks recommends. It bears the
/// number, which a backend needs to act, and never a code.
struct WebhookPayload: Encodable {
    let type: String
    /// When it happened.
    let timestamp: String
    /// Every member is there, null where there is nothing to say.
    let data: [String: WebhookField]
    /// True in an example, so that no receiver takes it for real; else not there.
    let isExample: Bool?

    private enum CodingKeys: String, CodingKey {
        case type, timestamp, data
        case isExample = "is_example"
    }

    init(_ kind: Event.Kind, occurredAt: Timestamp, _ content: EventContent, isExample: Bool = false) {
        type = kind.rawValue
        timestamp = occurredAt.description
        self.isExample = isExample ? true : nil
        data =
            switch content {
            case .verification(let verification): Self.data(of: verification)
            case .message(let message, let verification): Self.data(of: message, verification)
            case .account(let account): Self.data(of: account)
            case .traffic(let prefix, let traffic): Self.data(of: prefix, traffic)
            }
    }

    /// The JSON that is signed and sent.
    ///
    /// - Throws: never, as what is encoded is plain.
    func body() throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return Array(try encoder.encode(self))
    }

    private static func data(of verification: Verification) -> [String: WebhookField] {
        data(of: verification.phoneNumber).merging([
            "id": .text(of: verification.id),
            "channel": .text(verification.channel.rawValue),
            "status": .text(verification.recordedStatus.rawValue),
            "created_at": .text(of: verification.createdAt),
            "expires_at": .text(of: verification.expiresAt),
            "is_test": .flag(verification.isTest),
        ]) { $1 }
    }

    private static func data(of message: OutboxMessage, _ verification: Verification) -> [String: WebhookField] {
        data(of: verification.phoneNumber).merging([
            "id": .text(of: message.id),
            "verification_id": .text(of: message.verificationID),
            "channel": .text(verification.channel.rawValue),
            "status": .text(message.status.rawValue),
            "gateway": .text(of: message.gateway),
            "gateway_message_id": .text(of: message.gatewayMessageID),
            "failure": .text(of: message.failure),
            "created_at": .text(of: message.createdAt),
        ]) { $1 }
    }

    private static func data(of account: Account) -> [String: WebhookField] {
        // One whose number went to somebody else since has none.
        (account.phoneNumber.map(data(of:)) ?? ["phone_number": nil, "national_format": nil, "region": nil]).merging([
            "id": .text(of: account.id),
            "verification_id": .text(of: account.createdBy),
            "created_at": .text(of: account.createdAt),
        ]) { $1 }
    }

    /// A block begins for one reason only. It may have been lifted since: then it has no end.
    private static func data(of prefix: String, _ traffic: Traffic) -> [String: WebhookField] {
        [
            "prefix": .text(prefix),
            "blocked_until": .text(of: traffic.blockedUntil),
            "reason": .text(GuardVerdict.Reason.prefixConversionLow.rawValue),
        ]
    }

    private static func data(of number: PhoneNumber) -> [String: WebhookField] {
        [
            "phone_number": .text(number.e164),
            "national_format": .text(number.nationalFormat),
            "region": .text(of: number.region),
        ]
    }
}
