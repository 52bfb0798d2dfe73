import Foundation
import PhoneCLI
import PhoneDomain

/// An account as an operator reads it, or a program.
struct AccountListing {
    let account: Account
    let sessions: [Session]

    var text: String {
        let facts = [
            ["Account", account.id.description],
            ["Number", account.phoneNumber?.masked ?? "none: it was unlinked"],
            [
                account.phoneNumber == nil ? "Without number since" : "Number since",
                account.phoneNumberSince.description,
            ],
            ["Made", account.createdAt.description],
            ["Last active", account.lastActiveAt.description],
            ["To be deleted", account.deletionDueAt?.description ?? "no"],
        ]
        let width = facts.map(\.[0].count).max() ?? 0
        let lines = facts.map { $0[0] + String(repeating: " ", count: width + 2 - $0[0].count) + $0[1] }
        guard !sessions.isEmpty else { return lines.joined(separator: "\n") + "\n\nNo device is signed in." }
        let table = TextTable(
            ["SESSION", "SIGNED IN", "LAST USED", "ENDS", "DEVICE"],
            sessions.map { session in
                [
                    session.id.description, session.createdAt.description, session.refreshedAt.description,
                    session.end.description, session.userAgent ?? "-",
                ]
            }
        )
        return lines.joined(separator: "\n") + "\n\n" + table.text
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let content = Content(
            id: account.id.description,
            phoneNumber: account.phoneNumber?.masked,
            phoneNumberSince: account.phoneNumberSince.description,
            createdAt: account.createdAt.description,
            lastActiveAt: account.lastActiveAt.description,
            deletionDueAt: account.deletionDueAt?.description,
            sessions: sessions.map { session in
                Device(
                    id: session.id.description,
                    userAgent: session.userAgent,
                    createdAt: session.createdAt.description,
                    lastUsedAt: session.refreshedAt.description,
                    expiresAt: session.end.description
                )
            }
        )
        return String(decoding: try encoder.encode(content), as: UTF8.self)
    }

    private struct Content: Encodable {
        let id: String
        let phoneNumber: String?
        let phoneNumberSince: String
        let createdAt: String
        let lastActiveAt: String
        let deletionDueAt: String?
        let sessions: [Device]

        private enum CodingKeys: CodingKey {
            case id, phoneNumber, phoneNumberSince, createdAt, lastActiveAt, deletionDueAt, sessions
        }

        /// With null for what is not, so that every account has every member.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(phoneNumber, forKey: .phoneNumber)
            try container.encode(phoneNumberSince, forKey: .phoneNumberSince)
            try container.encode(createdAt, forKey: .createdAt)
            try container.encode(lastActiveAt, forKey: .lastActiveAt)
            try container.encode(deletionDueAt, forKey: .deletionDueAt)
            try container.encode(sessions, forKey: .sessions)
        }
    }

    private struct Device: Encodable {
        let id: String
        let userAgent: String?
        let createdAt: String
        let lastUsedAt: String
        let expiresAt: String

        private enum CodingKeys: CodingKey {
            case id, userAgent, createdAt, lastUsedAt, expiresAt
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(userAgent, forKey: .userAgent)
            try container.encode(createdAt, forKey: .createdAt)
            try container.encode(lastUsedAt, forKey: .lastUsedAt)
            try container.encode(expiresAt, forKey: .expiresAt)
        }
    }
}
