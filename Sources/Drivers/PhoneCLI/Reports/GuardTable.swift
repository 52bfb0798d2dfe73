public import CoreEncodings

/// What `guard list` prints: the summary of the service, prefixes, countries and networks, and what is left out.
public struct GuardTable {
    private let body: JSON

    /// - Parameter body: that of `GET /v1/admin/guard`.
    public init(_ body: JSON) { self.body = body }

    public func text(_ style: ListingStyle) -> String {
        func count(_ path: String) -> Int { body[path: path].integer ?? 0 }
        let rows = Listing(
            page: body,
            [
                .init("PREFIX", "numbers"),
                .init("STATE", "state") { $0.cellText.replacing("_", with: " ") },
                .init("UNTIL", "until"),
                .init("SENT", "sent"),
                .init("APPROVED") { Self.approved($0["approved"]?.integer ?? 0, of: $0["sent"]?.integer ?? 0) },
                .init("SUPPRESSED", "suppressed"),
            ]
        )
        let (sent, approved) = (count("last_day.sent"), count("last_day.approved"))
        let share = sent > 0 ? " (\(approved * 100 / sent)%)" : ""
        var parts = [
            "Last 24 h: \(sent) messages, \(approved) approved\(share), \(count("last_day.suppressed")) suppressed. "
                + "Guard: \(body["mode"]?.string ?? "").",
            rows.table(style, ifEmpty: "Nothing is blocked or challenged, and there are no rules."),
        ]
        var notes: [String] = []
        if count("more") > 0 { notes.append("\(count("more")) more; show them with --limit.") }
        if count("hidden.count") > 0 {
            notes.append(
                "\(count("hidden.count")) more with fewer than \(count("hidden.prefix_sample")) messages (countries: "
                    + "\(count("hidden.country_sample"))); show them with --all."
            )
        }
        if !notes.isEmpty { parts.append(notes.joined(separator: "\n")) }
        return parts.joined(separator: "\n\n")
    }

    private static func approved(_ approved: Int, of sent: Int) -> String {
        sent > 0 ? "\(approved) (\(approved * 100 / sent)%)" : "\(approved)"
    }
}
