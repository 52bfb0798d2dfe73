import Foundation
import PhoneCLI
import PhoneDomain

/// What the guard goes by as an operator reads it, or a program.
struct GuardListing {
    let traffic: [KeyedTraffic]
    let rules: [GuardRule]
    let now: Timestamp

    var text: String {
        var parts: [String] = []
        if !rules.isEmpty {
            let rows = rules.map { [$0.prefix, $0.action.rawValue, $0.until?.description ?? "changed by hand"] }
            parts.append(TextTable(["RULE FOR", "ACTION", "UNTIL"], rows).text)
        }
        if !traffic.isEmpty {
            parts.append(
                TextTable(["NUMBERS", "SENT", "APPROVED", "SHARE", "HELD BACK", "BLOCKED UNTIL"], traffic.map(cells))
                    .text
            )
        }
        return parts.isEmpty
            ? "There are no rules, and nothing was sent within the last day." : parts.joined(separator: "\n\n")
    }

    private func cells(of keyed: KeyedTraffic) -> [String] {
        let day = keyed.traffic.lastDay(at: now)
        return [
            keyed.key.description, String(day.sent), String(day.approved),
            day.sent > 0 ? "\(day.approved * 100 / day.sent) %" : "-",
            String(keyed.traffic.heldBackLastDay(at: now)),
            blockedUntil(keyed)?.description ?? "-",
        ]
    }

    private func blockedUntil(_ keyed: KeyedTraffic) -> Timestamp? {
        keyed.traffic.isBlocked(at: now) ? keyed.traffic.blockedUntil : nil
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.keyEncodingStrategy = .convertToSnakeCase
        let body = Body(
            rules: rules.map {
                Body.Rule(prefix: $0.prefix, action: $0.action.rawValue, until: $0.until?.description)
            },
            traffic: traffic.map { keyed in
                let day = keyed.traffic.lastDay(at: now)
                return Body.Numbers(
                    numbers: keyed.key.description,
                    sent: day.sent,
                    approved: day.approved,
                    heldBack: keyed.traffic.heldBackLastDay(at: now),
                    blockedUntil: blockedUntil(keyed)?.description
                )
            }
        )
        return String(decoding: try encoder.encode(body), as: UTF8.self)
    }

    private struct Body: Encodable {
        let rules: [Rule]
        let traffic: [Numbers]

        struct Rule: Encodable {
            let prefix: String
            let action: String
            let until: String?
        }

        struct Numbers: Encodable {
            let numbers: String
            let sent: Int
            let approved: Int
            let heldBack: Int
            let blockedUntil: String?
        }
    }
}
