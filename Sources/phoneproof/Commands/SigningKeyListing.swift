import Foundation
import PhoneCLI
import PhoneDomain

/// Signing keys as an operator reads them, or a program.
struct SigningKeyListing {
    let keys: SigningKeys
    let now: Timestamp

    var text: String {
        guard !keys.all.isEmpty else { return "There are no signing keys; the service makes one when it starts." }
        let rows = keys.all.map { key in
            [
                key.id.description, state(of: key), key.createdAt.description, key.activeAt.description,
                key.goneAt?.description ?? "-", key.sealedPrivateKey.keyID,
            ]
        }
        return TextTable(["KEY", "STATE", "MADE", "SIGNS FROM", "PUBLISHED UNTIL", "SEALED UNDER"], rows).text
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let rows = keys.all.map { key in
            Row(
                id: key.id.description,
                state: state(of: key),
                createdAt: key.createdAt.description,
                signsFrom: key.activeAt.description,
                publishedUntil: key.goneAt?.description,
                sealedUnder: key.sealedPrivateKey.keyID
            )
        }
        return String(decoding: try encoder.encode(["signing_keys": rows]), as: UTF8.self)
    }

    /// What to say of a rotation.
    func rotated(to id: SigningKey.ID) -> [String] {
        guard let key = keys.all.first(where: { $0.id == id }) else { return [] }
        guard key.activeAt > now else {
            let others = keys.all.contains { $0.id != id }
            return ["\(id) is published and signs from now on."]
                + (others
                    ? [
                        "All other keys are worthless, and every access token that they have signed: to a running service within "
                            + "\(SigningKeyService.interval.components.seconds) seconds, to others when they look for keys again."
                    ] : [])
        }
        let old = keys.published(at: now).filter { $0.id != id }
        return ["\(id) is published now and signs from \(key.activeAt) on."]
            + old.map { old in
                "\(old.id) signs until \(keys.end(of: old) ?? key.activeAt), and stays published until "
                    + "\(old.goneAt?.description ?? "it is rotated")."
            }
    }

    private func state(of key: SigningKey) -> String {
        if key.isGone(at: now) { return "gone" }
        if key == keys.signing(at: now) { return "signs" }
        return key.activeAt > now ? "to sign" : "published"
    }

    private struct Row: Encodable {
        let id: String
        let state: String
        let createdAt: String
        let signsFrom: String
        let publishedUntil: String?
        let sealedUnder: String

        private enum CodingKeys: CodingKey {
            case id, state, createdAt, signsFrom, publishedUntil, sealedUnder
        }

        /// With null for what is not, so that every row has every member.
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(id, forKey: .id)
            try container.encode(state, forKey: .state)
            try container.encode(createdAt, forKey: .createdAt)
            try container.encode(signsFrom, forKey: .signsFrom)
            try container.encode(publishedUntil, forKey: .publishedUntil)
            try container.encode(sealedUnder, forKey: .sealedUnder)
        }
    }
}
