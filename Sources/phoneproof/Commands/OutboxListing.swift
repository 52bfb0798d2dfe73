import Foundation
import PhoneCLI
import PhoneDomain

/// Messages of the outbox as an operator reads them, or a program. Numbers are masked, and there is no code to show.
struct OutboxListing {
    let entries: [OutboxClaim]
    let now: Timestamp

    /// Aligned columns under a head.
    var text: String {
        guard !entries.isEmpty else { return "There are no such messages." }
        let head = ["MESSAGE", "KIND", "NUMBER", "STATUS", "ATTEMPTS", "NEXT ATTEMPT", "GATEWAY", "AGE", "REASON"]
        return TextTable(head, entries.map(cells)).text
    }

    private func cells(of entry: OutboxClaim) -> [String] {
        let message = entry.message
        return [
            "\(message.id)", Self.kind(of: message), entry.recipient?.masked ?? "-", message.status.rawValue,
            "\(message.attempts)",
            message.isOwed ? "\(message.nextAttemptAt)" : "-", message.gateway ?? "-",
            Self.age(now - message.createdAt), message.failure ?? "-",
        ]
    }

    /// What it is for, for programs as well.
    private static func kind(of message: OutboxMessage) -> String {
        message.isNotice ? "notice" : "code"
    }

    /// In the greatest unit that makes it 1 or more.
    private static func age(_ duration: Duration) -> String {
        let seconds = max(0, duration.components.seconds)
        return switch seconds {
        case ..<60: "\(seconds) s"
        case ..<3600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// `{"messages": […]}`; every member is there, null where there is nothing to say.
    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let body = Body(messages: entries.map { Body.Entry(entry: $0, age: now - $0.message.createdAt) })
        return String(decoding: try encoder.encode(body), as: UTF8.self)
    }

    private struct Body: Encodable {
        let messages: [Entry]

        struct Entry: Encodable {
            let entry: OutboxClaim
            let age: Duration

            private enum CodingKeys: String, CodingKey {
                case id, kind, status, attempts, gateway, failure
                case phoneNumber = "phone_number"
                case nextAttemptAt = "next_attempt_at"
                case gatewayMessageID = "gateway_message_id"
                case createdAt = "created_at"
                case ageInSeconds = "age_seconds"
                case numberChangeID = "number_change_id"
                case verificationID = "verification_id"
                case verificationStatus = "verification_status"
            }

            func encode(to encoder: any Encoder) throws {
                let message = entry.message
                var container = encoder.container(keyedBy: CodingKeys.self)
                try container.encode(message.id.description, forKey: .id)
                try container.encode(OutboxListing.kind(of: message), forKey: .kind)
                try container.encode(entry.recipient?.masked, forKey: .phoneNumber)
                try container.encode(message.status.rawValue, forKey: .status)
                try container.encode(message.attempts, forKey: .attempts)
                try container.encode(
                    message.isOwed ? message.nextAttemptAt.description : nil,
                    forKey: .nextAttemptAt
                )
                try container.encode(message.gateway, forKey: .gateway)
                try container.encode(message.gatewayMessageID, forKey: .gatewayMessageID)
                try container.encode(message.failure, forKey: .failure)
                try container.encode(message.createdAt.description, forKey: .createdAt)
                try container.encode(max(0, age.components.seconds), forKey: .ageInSeconds)
                try container.encode(message.numberChangeID?.description, forKey: .numberChangeID)
                try container.encode(entry.verification.id.description, forKey: .verificationID)
                try container.encode(
                    entry.verification.status(at: message.createdAt + age).rawValue,
                    forKey: .verificationStatus
                )
            }
        }
    }
}

extension OutboxMessage {
    fileprivate var isOwed: Bool { status == .queued }
}
