import Foundation
import PhoneCLI
import PhoneDomain

/// The limits in use as an operator reads them, or a program.
struct LimitsListing {
    let meters: [MeterInUse]
    let sentToday: Int
    let closed: [(number: String, closure: NumberActivity.Closure)]
    let limits: LimitPolicy
    let now: Timestamp

    var text: String {
        var parts = [
            "Messages within the last day: \(sentToday) of \(limits.dailyBudget.map(String.init) ?? "any number")"
        ]
        if !meters.isEmpty {
            parts.append(TextTable(["LIMIT AND KEY", "LEFT", "FULL AGAIN"], meters.map(cells)).text)
        }
        if !closed.isEmpty {
            let rows = closed.map { [$0.number, $0.closure.policy.name, $0.closure.until.description] }
            parts.append(TextTable(["CLOSED NUMBER", "BY", "UNTIL"], rows).text)
        }
        if meters.isEmpty && closed.isEmpty { parts.append("No limit is in use, and no number is closed.") }
        return parts.joined(separator: "\n\n")
    }

    private func cells(of meter: MeterInUse) -> [String] {
        [meter.key.description, left(meter).map(String.init) ?? "-", full(meter).description]
    }

    /// How much is left, if there is still such a limit.
    private func left(_ meter: MeterInUse) -> Int? {
        limits.limit(of: meter.key).map { meter.meter.remaining($0, now: now) }
    }

    private func full(_ meter: MeterInUse) -> Timestamp {
        Timestamp(milliseconds: meter.meter.fullAt / 1000)
    }

    func json() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let body = Body(
            sentLastDay: sentToday,
            dailyBudget: limits.dailyBudget,
            limits: meters.map {
                Body.Limit(key: $0.key.description, remaining: left($0), fullAt: full($0).description)
            },
            closedNumbers: closed.map {
                Body.Number(
                    phoneNumber: $0.number,
                    policy: $0.closure.policy.name,
                    until: $0.closure.until.description
                )
            }
        )
        encoder.keyEncodingStrategy = .convertToSnakeCase
        return String(decoding: try encoder.encode(body), as: UTF8.self)
    }

    private struct Body: Encodable {
        let sentLastDay: Int
        let dailyBudget: Int?
        let limits: [Limit]
        let closedNumbers: [Number]

        struct Limit: Encodable {
            let key: String
            let remaining: Int?
            let fullAt: String
        }

        struct Number: Encodable {
            let phoneNumber: String
            let policy: String
            let until: String
        }
    }
}
