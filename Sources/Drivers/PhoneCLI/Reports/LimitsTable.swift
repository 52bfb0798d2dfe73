public import CoreEncodings
import PhoneDomain

/// What `limits list` prints: the rate limits in use, and the locked numbers, masked.
public struct LimitsTable {
    private let limits: [JSON]
    private let lockedNumbers: [JSON]
    private let sent: Int
    private let budget: Int?

    /// - Parameter body: that of `GET /v1/admin/limits`.
    public init(_ body: JSON) {
        (limits, lockedNumbers) = (body["items"]?.array ?? [], body["locked_numbers"]?.array ?? [])
        (sent, budget) = (body["sent_last_day"]?.integer ?? 0, body["daily_budget"]?.integer)
    }

    /// - Parameters:
    ///   - all: whether it has limits of which less than half is used, too.
    ///   - limit: the most rows of each table.
    public func text(all: Bool, limit: Int, _ style: ListingStyle) -> String {
        var parts = ["Messages in the last 24 hours: \(sent)" + (budget.map { "/\($0)" } ?? ", no daily budget")]
        let rows = limits.filter { all || Self.isHalfUsed($0) }
        let used = Listing(
            Array(rows.prefix(limit)),
            [
                .init("LIMIT", "limit") { LimitKey(rawValue: $0.cellText).masked },
                .init("USED") { row in row["used"]?.integer.map { "\($0)/\(row["quota"]?.integer ?? 0)" } },
                .init("RESET", "full_at"),
            ]
        )
        if !used.rows.isEmpty { parts.append(used.table(style)) }
        let locked = Listing(
            Array(lockedNumbers.prefix(limit)),
            [
                .init("LOCKED NUMBER", "phone_number", as: \.maskedNumber), .init("LIMIT", "policy"),
                .init("UNTIL", "until"),
            ]
        )
        if !locked.rows.isEmpty { parts.append(locked.table(style)) }
        let isBudgetNearlyUsedUp = budget.map { sent * 2 >= $0 } ?? false
        if parts.count == 1, !isBudgetNearlyUsedUp {
            parts.append("No limit is nearly used up, and no number is locked.")
        }
        var notes: [String] = []
        let more = max(0, rows.count - limit) + max(0, lockedNumbers.count - limit)
        if more > 0 { notes.append("\(more) more; show them with --limit.") }
        // A client's own, or one that is no longer set.
        let unknown = all ? 0 : limits.count { $0["used"]?.integer == nil }
        let hidden = limits.count - rows.count - unknown
        if hidden > 0 { notes.append("\(hidden) less than half used; show them with --all.") }
        if unknown > 0 { notes.append("\(unknown) of a size that is not known here; show them with --all.") }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private static func isHalfUsed(_ limit: JSON) -> Bool {
        guard let used = limit["used"]?.integer, let quota = limit["quota"]?.integer else { return false }
        return used * 2 >= quota
    }
}
