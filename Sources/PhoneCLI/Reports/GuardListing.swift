public import PhoneAdministration
import PhoneDomain
import TextEncodings

extension GuardListing {
    /// The summary of the service, the table, and what is not in it.
    public func text(all: Bool, limit: Int, _ style: ListingStyle) -> String {
        let service = traffic.first { $0.keyed.key == .service }?.keyed.traffic ?? .none
        let day = service.lastDay(at: now)
        var parts = [
            "Last 24 h: \(day.sent) messages, \(day.approved) approved"
                + (day.sent > 0 ? " (\(day.approved * 100 / day.sent)%)" : "")
                + ", \(service.suppressedLastDay(at: now)) suppressed. Guard: \(policy.mode.rawValue)."
        ]
        let sorted = sorted
        let rows = sorted.filter { all || !$0.isSmall }
        let listing = Listing(
            Array(rows.prefix(limit)),
            columns: [
                .init("PREFIX", nil) { $0.numbers },
                .init("STATE", nil) { $0.state },
                .init("UNTIL", nil) { $0.until },
                .init("SENT", nil) { $0.sent },
                .init("APPROVED", nil) { row in
                    row.sent > 0 ? "\(row.approved) (\(row.approved * 100 / row.sent)%)" : "\(row.approved)"
                },
                .init("SUPPRESSED", nil) { $0.suppressed },
            ]
        )
        parts.append(rows.isEmpty ? "Nothing is blocked or challenged, and there are no rules." : listing.table(style))
        var notes: [String] = []
        if rows.count > limit { notes.append("\(rows.count - limit) more; show them with --limit.") }
        let small = sorted.count - rows.count
        if small > 0 {
            notes.append(
                "\(small) more with fewer than \(policy.prefixSample) messages (countries: \(policy.countrySample)); "
                    + "show them with --all."
            )
        }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    /// The rules in force and the traffic, the worst first.
    public func json(limit: Int) -> String {
        let rules = Listing(
            rules,
            hasNulls: false,
            columns: [
                .init(nil, "prefix") { $0.prefix }, .init(nil, "action") { $0.action.rawValue },
                .init(nil, "until") { $0.until }, .init(nil, "created_at") { $0.createdAt },
            ]
        )
        // What is of one state stays in the order of the store: by messages.
        let ranked = traffic.enumerated()
            .sorted { ($0.element.state.rank, $0.offset) < ($1.element.state.rank, $1.offset) }
            .prefix(limit)
            .map(\.element)
        let traffic = Listing(
            ranked,
            hasNulls: false,
            columns: [
                .init(nil, "numbers") { $0.keyed.key },
                .init(nil, "state") { $0.state.rawValue },
                .init(nil, "sent") { [now] in $0.keyed.traffic.lastDay(at: now).sent },
                .init(nil, "approved") { [now] in $0.keyed.traffic.lastDay(at: now).approved },
                .init(nil, "suppressed") { [now] in $0.keyed.traffic.suppressedLastDay(at: now) },
                .init(nil, "blocked_until") { [now] in
                    $0.keyed.traffic.isBlocked(at: now) ? $0.keyed.traffic.blockedUntil : nil
                },
            ]
        )
        return (["rules": rules.json, "traffic": traffic.json] as JSON).indentedText
    }
}
