public import PhoneDomain

/// Entries of the audit trail as aligned columns, for a person to read.
public struct AuditTable: Sendable {
    private let table: TextTable

    private static let titles = ["TIME", "ACTION", "NUMBER", "VERIFICATION", "OWNER", "ADDRESS", "VERDICT"]

    /// A table of these entries, in this order.
    public init(_ entries: [AuditEntry]) {
        table = TextTable(Self.titles, entries.map(Self.row))
    }

    /// The table, a line for each entry under the titles of the columns; `-` is where nothing is known.
    public var text: String { table.text }

    private static func row(_ entry: AuditEntry) -> [String] {
        let verdict = entry.verdict.map { verdict in
            ([verdict.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ")
        }
        return [
            entry.at.description, entry.action.rawValue, entry.maskedNumber, entry.verificationID?.description,
            entry.owner?.rawValue, entry.address?.description, verdict,
        ].map { $0 ?? "-" }
    }
}
