public import PhoneDomain

/// Entries of the audit trail as aligned columns, for a person to read.
public struct AuditTable: Sendable {
    private let rows: [[String]]

    private static let titles = ["TIME", "ACTION", "NUMBER", "VERIFICATION", "OWNER", "ADDRESS", "VERDICT"]

    /// A table of these entries, in this order.
    public init(_ entries: [AuditEntry]) {
        rows = [Self.titles] + entries.map(Self.row)
    }

    /// The table, a line for each entry under the titles of the columns; `-` is where nothing is known.
    public var text: String {
        let widths = Self.titles.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let cells = zip(row, widths).map { $0.padded(toColumns: $1) }
            return String(cells.joined(separator: "  ").trimmingSuffix { $0 == " " })
        }
        .joined(separator: "\n")
    }

    private static func row(_ entry: AuditEntry) -> [String] {
        let verdict = entry.verdict.map { verdict in
            ([verdict.rawValue] + entry.reasons.map(\.rawValue)).joined(separator: " ")
        }
        return [
            entry.at.description, entry.action.rawValue, entry.maskedNumber, entry.verificationID?.description,
            entry.owner?.rawValue, entry.address?.description, verdict,
        ].map { ($0 ?? "-").printable }
    }
}

extension String {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
        var rest = self[...]
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return rest
    }
}
