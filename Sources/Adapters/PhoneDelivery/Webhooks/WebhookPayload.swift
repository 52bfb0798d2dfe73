import CoreEncodings
import PhoneAdministration
import PhoneDomain
import PhoneNumbers
import PhoneSignup

/// The JSON of an event: `{"data": {…}, "timestamp": "…", "type": "…"}`, as Standard Webhooks recommends. It contains
/// the number, which a backend needs to act, and never a code. Every member of `data` is present, null where there is
/// no value.
struct WebhookPayload {
    private let json: JSON

    /// - Parameter isExample: marks it, so that no receiver takes it for real.
    init(_ kind: Event.Kind, occurredAt: Timestamp, _ content: EventContent, isExample: Bool = false) {
        let data =
            switch content {
            case .verification(let verification): Self.data(of: verification)
            case .message(let message, let verification): Self.data(of: message, verification)
            case .account(let account): Self.data(of: account)
            case .traffic(let prefix, let traffic): Self.data(of: prefix, traffic)
            case .auditEntry(let serial, let entry): Self.data(of: entry, serial)
            }
        var members: [String: JSON] = [
            "type": .string(kind.rawValue), "timestamp": .text(of: occurredAt), "data": JSON(sorted: data),
        ]
        if isExample { members["is_example"] = true }
        json = JSON(sorted: members)
    }

    /// The bytes that are signed and sent.
    var body: [UInt8] { Array(json.text.utf8) }

    private static func data(of verification: Verification) -> [String: JSON] {
        data(of: verification.phoneNumber).merging([
            "id": .text(of: verification.id),
            "channel": .string(verification.channel.rawValue),
            "status": .string(verification.recordedStatus.rawValue),
            "created_at": .text(of: verification.createdAt),
            "expires_at": .text(of: verification.expiresAt),
            "is_test": .bool(verification.isTest),
        ]) { $1 }.merging(words(of: verification)) { $1 }
    }

    private static func data(of message: OutboxMessage, _ verification: Verification) -> [String: JSON] {
        data(of: verification.phoneNumber).merging([
            "id": .text(of: message.id),
            "verification_id": .text(of: message.verificationID),
            "channel": .string(message.channel.rawValue),
            "status": .string(message.status.rawValue),
            "gateway": .text(of: message.gateway),
            "gateway_message_id": .text(of: message.gatewayMessageID),
            "failure": .text(of: message.failure),
            "created_at": .text(of: message.createdAt),
        ]) { $1 }.merging(words(of: verification)) { $1 }
    }

    private static func words(of verification: Verification) -> [String: JSON] {
        let labels = verification.serverLabels
        return ["reference": .text(of: labels.reference), "tags": labels.tags?.json ?? .null]
    }

    private static func data(of account: Account) -> [String: JSON] {
        // An account loses its number to another one that verifies it.
        data(of: account.phoneNumber).merging([
            "id": .text(of: account.id),
            "verification_id": .text(of: account.createdBy),
            "created_at": .text(of: account.createdAt),
        ]) { $1 }
    }

    /// A block begins for one reason only. It may have been lifted since: then it has no end.
    private static func data(of prefix: String, _ traffic: Traffic) -> [String: JSON] {
        [
            "prefix": .string(prefix),
            "blocked_until": .text(of: traffic.blockedUntil),
            "reason": .string(GuardVerdict.Reason.prefixConversionLow.rawValue),
        ]
    }

    /// As operators see it. Entries are in the order of their keys, which fit no double.
    private static func data(of entry: AuditEntry, _ serial: Int64) -> [String: JSON] {
        var data = Dictionary(entry.json.members.map { ($0.name, $0.value) }) { $1 }
        data["id"] = .string(String(serial))
        return data
    }

    private static func data(of number: PhoneNumber?) -> [String: JSON] {
        [
            "phone_number": .string(number?.e164),
            "national_format": .string(number?.nationalFormat),
            "region": .text(of: number?.region),
        ]
    }
}

extension JSON {
    fileprivate static func text(of value: (some CustomStringConvertible)?) -> JSON { .string(value?.description) }
}

extension EventContent {
    /// An example's content: a plausible number, and IDs of zeros.
    static func example(of kind: Event.Kind, at now: Timestamp) throws -> EventContent {
        switch kind {
        case .verificationApproved, .messageFeedback: .verification(try exampleVerification(.approved, at: now))
        case .verificationFailed: .verification(try exampleVerification(.maxAttemptsReached, at: now))
        case .messageDelivered:
            .message(exampleMessage(.delivered, at: now), try exampleVerification(.pending, at: now))
        case .messageUndelivered:
            .message(exampleMessage(.undelivered, at: now), try exampleVerification(.pending, at: now))
        case .accountCreated, .numberChanged:
            .account(
                Account(
                    id: Account.ID(bits: 0, 0),
                    phoneNumber: try PhoneNumber(e164: exampleNumber),
                    createdAt: now,
                    createdBy: Verification.ID(bits: 0, 0)
                )
            )
        case .guardBlocked:
            .traffic(
                prefix: String(exampleNumber.dropLast(4)),
                Traffic(hours: [], blockedUntil: now + .seconds(43_200), refusedInBlock: 0)
            )
        case .auditRecorded:
            .auditEntry(serial: 0, AuditEntry(at: now, action: .revokeKey, owner: .local, subject: "pk_0"))
        }
    }

    private static let exampleNumber = "+821012345678"

    private static func exampleVerification(_ status: VerificationStatus, at now: Timestamp) throws -> Verification {
        Verification(
            id: Verification.ID(bits: 0, 0),
            phoneNumber: try PhoneNumber(e164: exampleNumber),
            owner: .local,
            channel: .sms,
            language: .korean,
            code: SealedCode(keyID: "", mac: [], ciphertext: []),
            createdAt: now,
            isTest: true,
            expiresAt: now + Verification.longestLife,
            nextSendAt: now,
            sendsLeft: 0,
            checksLeft: 0,
            recordedStatus: status,
            updatedAt: now,
            consumedBy: nil
        )
    }

    private static func exampleMessage(_ status: OutboxMessage.Status, at now: Timestamp) -> OutboxMessage {
        OutboxMessage(
            id: OutboxMessage.ID(bits: 0, 0),
            verificationID: Verification.ID(bits: 0, 0),
            createdAt: now,
            status: status,
            attempts: 1,
            nextAttemptAt: now,
            gateway: "twilio",
            gatewayMessageID: "SM00000000000000000000000000000000",
            failure: status == .undelivered ? "lost in transit (30008)" : nil
        )
    }
}
