import Foundation
import PhoneCLI
import PhoneDomain

/// API keys as an operator reads them, or a program.
struct KeyListing {
    let keys: [APIKey]

    var text: String {
        guard !keys.isEmpty else { return "There are no API keys; `keys create` makes one." }
        let rows = keys.map { key in
            let names = TwilioKeyNames(of: key)
            return [
                names?.sid ?? key.id.description, key.name.description, Self.kind(names), key.scopes.list,
                key.createdAt.description, key.lastUsedAt?.description ?? "never", key.revokedAt?.description ?? "-",
                names?.account ?? "-", names.map { $0.service ?? "all" } ?? "-",
            ]
        }
        let titles = ["KEY", "NAME", "KIND", "MAY DO", "MADE", "LAST USED", "REVOKED", "ACCOUNT", "SERVICE"]
        return TextTable(titles, rows).text
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let rows = keys.map { key in
            let names = TwilioKeyNames(of: key)
            return Row(
                id: key.id.description,
                name: key.name.description,
                kind: Self.kind(names),
                sid: names?.sid,
                account: names?.account,
                service: names?.service,
                scopes: key.scopes.map(\.rawValue).sorted(),
                createdAt: key.createdAt.description,
                lastUsedAt: key.lastUsedAt?.description,
                revokedAt: key.revokedAt?.description
            )
        }
        return String(decoding: try encoder.encode(["keys": rows]), as: UTF8.self)
    }

    /// By what the key is used: the service's own interface, or that of Twilio Verify.
    private static func kind(_ names: TwilioKeyNames?) -> String {
        names == nil ? "api" : "twilio"
    }

    private struct Row: Encodable {
        let id: String
        let name: String
        let kind: String
        let sid: String?
        let account: String?
        let service: String?
        let scopes: [String]
        let createdAt: String
        let lastUsedAt: String?
        let revokedAt: String?

        private enum CodingKeys: CodingKey {
            case id, name, kind, sid, account, service, scopes, createdAt, lastUsedAt, revokedAt
        }

        /// With null for what is not, so that every row has every member.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(name, forKey: .name)
            try container.encode(kind, forKey: .kind)
            try container.encode(sid, forKey: .sid)
            try container.encode(account, forKey: .account)
            try container.encode(service, forKey: .service)
            try container.encode(scopes, forKey: .scopes)
            try container.encode(createdAt, forKey: .createdAt)
            try container.encode(lastUsedAt, forKey: .lastUsedAt)
            try container.encode(revokedAt, forKey: .revokedAt)
        }
    }
}
