import CoreEncodings
public import PhoneAdministration
import PhoneDomain

extension GuardListing {
    /// The summary of the service, the table, and what is not in it.
    public func text(_ style: ListingStyle) -> String {
        let day = service.lastDay(at: now)
        var parts = [
            "Last 24 h: \(day.sent) messages, \(day.approved) approved"
                + (day.sent > 0 ? " (\(day.approved * 100 / day.sent)%)" : "")
                + ", \(service.suppressedLastDay(at: now)) suppressed. Guard: \(policy.mode.rawValue)."
        ]
        let (rows, more) = page
        parts.append(
            rows.isEmpty ? "Nothing is blocked or challenged, and there are no rules." : Self.listing(rows).table(style)
        )
        var notes: [String] = []
        if more > 0 { notes.append("\(more) more; show them with --limit.") }
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
    public var json: String {
        let rules = Listing(
            rules,
            hasNulls: false,
            columns: [
                .init(nil, "prefix") { $0.prefix }, .init(nil, "action") { $0.action.rawValue },
                .init(nil, "until") { $0.until }, .init(nil, "created_at") { $0.createdAt },
            ]
        )
        return (["rules": rules.json, "traffic": Self.listing(page.rows).json] as JSON).indentedText
    }

    private static func listing(_ rows: [Row]) -> Listing<Row> {
        Listing(
            rows,
            hasNulls: false,
            columns: [
                .init("PREFIX", "numbers") { $0.numbers },
                .init("STATE", "state", cell: { $0.state.description }, json: { .string($0.state.rawValue) }),
                .init("UNTIL", "until") { $0.until },
                .init("SENT", "sent") { $0.sent },
                .init(
                    "APPROVED",
                    "approved",
                    cell: { $0.sent > 0 ? "\($0.approved) (\($0.approved * 100 / $0.sent)%)" : "\($0.approved)" },
                    json: { .integer($0.approved) }
                ),
                .init("SUPPRESSED", "suppressed") { $0.suppressed },
            ]
        )
    }
}
