/// Rows of text under the titles of their columns, aligned as a terminal shows them.
public struct TextTable: Sendable {
    private let rows: [[String]]

    /// A table.
    ///
    /// - Parameters:
    ///   - titles: one for each column.
    ///   - rows: each with as many cells; what cannot be printed is shown as it is written in JSON.
    public init(_ titles: [String], _ rows: [[String]]) {
        self.rows = [titles] + rows.map { $0.map(\.escaped) }
    }

    /// A line for each row, without blanks at its end.
    public var text: String {
        let widths = (rows.first ?? []).indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            let line = zip(row, widths).map { $0.padded(toColumns: $1) }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
        .joined(separator: "\n")
    }
}
