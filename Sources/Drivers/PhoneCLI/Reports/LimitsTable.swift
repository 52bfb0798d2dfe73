import CoreEncodings
public import PhoneAdministration
import PhoneDomain

extension LimitsListing {
    private func locked(limit: Int) -> Listing<LockedNumber> {
        Listing(
            Array(lockedNumbers.prefix(limit)),
            columns: [
                .init("LOCKED NUMBER", "phone_number") {
                    (try? PhoneNumber(e164: $0.e164))?.masked ?? "a number of no known plan"
                },
                .init("LIMIT", "policy") { $0.closure.policy.name },
                .init("UNTIL", "until") { $0.closure.until },
            ]
        )
    }

    public func text(all: Bool, limit: Int, _ style: ListingStyle) -> String {
        var parts = ["Messages in the last 24 hours: \(sent)" + (budget.map { "/\($0)" } ?? ", no daily budget")]
        let rows = rows(all: all)
        let hidden = sorted.count - rows.count
        if !rows.isEmpty {
            parts.append(
                Listing(
                    Array(rows.prefix(limit)),
                    columns: [
                        .init("LIMIT", nil) { $0.key.masked },
                        .init("USED", nil) { row in row.use.map { "\($0.used)/\($0.quota)" } },
                        .init("RESET", nil) { $0.fullAt },
                    ]
                )
                .table(style)
            )
        }
        let locked = locked(limit: limit)
        if !locked.rows.isEmpty { parts.append(locked.table(style)) }
        let isBudgetNearlyUsedUp = budget.map { sent * 2 >= $0 } ?? false
        if parts.count == 1, !isBudgetNearlyUsedUp {
            parts.append("No limit is nearly used up, and no number is locked.")
        }
        var notes: [String] = []
        let more = max(0, rows.count - limit) + max(0, lockedNumbers.count - limit)
        if more > 0 { notes.append("\(more) more; show them with --limit.") }
        // A client's own, or one that is no longer set.
        let unknown = all ? 0 : sorted.count { $0.use == nil }
        if hidden > unknown { notes.append("\(hidden - unknown) less than half used; show them with --all.") }
        if unknown > 0 { notes.append("\(unknown) of a size that is not known here; show them with --all.") }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    public func json(limit: Int) -> String {
        let meters = Listing(
            Array(sorted.prefix(limit)),
            hasNulls: false,
            columns: [
                .init(nil, "key") { $0.key.masked }, .init(nil, "used") { $0.use?.used },
                .init(nil, "quota") { $0.use?.quota }, .init(nil, "remaining") { $0.use.map { $0.quota - $0.used } },
                .init(nil, "full_at") { $0.fullAt },
            ]
        )
        var members = [JSON.Member("sent_last_day", .integer(sent))]
        if let budget { members.append(.init("daily_budget", .integer(budget))) }
        members += [.init("limits", meters.json), .init("closed_numbers", locked(limit: limit).json)]
        return JSON.object(members).indentedText
    }
}
