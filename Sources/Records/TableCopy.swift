public import PhoneDomain

/// Copies every table of one transaction into another, and counts what both have. A ``StoreCopy`` goes from store to
/// store, and can be continued; this sees the source as of one moment, and is all or nothing.
///
/// Rows are passed on as they are, those that cannot be read too: a backup keeps what is there.
public struct TableCopy: Sendable {
    /// What there is of each table, in the order of ``RecordKind/tables``: the kinds, and the holders of numbers.
    public typealias Tallies = [RecordTally]

    private static let pageSize = 2000
    private let digester: any RecordDigester
    private let report: @Sendable (CopyProgress) -> Void

    /// - Parameter report: is called after every page.
    public init(digester: any RecordDigester, reporting report: @escaping @Sendable (CopyProgress) -> Void = { _ in }) {
        (self.digester, self.report) = (digester, report)
    }

    /// - Parameter write: keeps rows of a table.
    /// - Returns: what was passed on.
    public func copy(
        from source: any SQLSession,
        _ write: (_ rows: [Row], _ table: Table) throws -> Void
    ) throws -> Tallies { try pass(source, .copying, write) }

    public func tallies(of session: any SQLSession) throws -> Tallies { try pass(session, .checking) { _, _ in } }

    /// What a table of a backup contains, in any order, by the columns that it had in the version that made it.
    public func tally(of table: String, columns: String, in session: any SQLSession) throws -> RecordTally {
        let kind = RecordKind.allCases.first { $0.table.name == table }
        let total = try kind.map { try session.count(of: $0.table) } ?? 0
        var tally = RecordTally()
        func report() {
            if let kind { self.report(CopyProgress(phase: .verifying, kind: kind, done: tally.count, total: total)) }
        }
        try session.forEach("SELECT \(raw: columns) FROM \(raw: table)") { row in
            tally.add(try digest(of: row, in: table))
            if tally.count.isMultiple(of: Self.pageSize) { report() }
        }
        report()
        return tally
    }

    public func digest(of row: Row, in table: String) throws -> RecordDigest {
        try digester.digest(of: row.encoded(as: table))
    }

    public static func result(copied: Tallies, found: Tallies) -> CopyResult {
        let parts = zip(RecordKind.allCases, zip(copied, found))
            .map { CopyResult.Part(kind: $0, copied: $1.0, source: $1.0, target: $1.1) }
        return CopyResult(parts: parts, heldBefore: 0)
    }

    private func pass(
        _ session: any SQLSession,
        _ phase: CopyProgress.Phase,
        _ body: ([Row], Table) throws -> Void
    ) throws -> Tallies {
        try RecordKind.tables.enumerated().map { index, table in
            // The holders of numbers, which are no kind, pass without a report.
            let kind = RecordKind.allCases.indices.contains(index) ? RecordKind.allCases[index] : nil
            let total = try kind == nil ? 0 : session.count(of: table)
            var tally = RecordTally()
            try session.forEachPage(of: table, size: Self.pageSize) { rows in
                try body(rows, table)
                for row in rows { tally.add(try digest(of: row, in: table.name)) }
                if let kind { report(CopyProgress(phase: phase, kind: kind, done: tally.count, total: total)) }
            }
            return tally
        }
    }
}

extension SQLSession {
    public func count(of table: Table) throws -> Int {
        try rows("SELECT count(*) FROM \(table)", of: table) { try $0.count() }.first ?? 0
    }

    /// The rows of a table in the order of their keys.
    fileprivate func forEachPage(of table: Table, size: Int, _ body: ([Row]) throws -> Void) throws {
        let key = SQL(raw: table.key)
        var last = table.leastKey
        while true {
            var rows: [Row] = []
            rows.reserveCapacity(size)
            try forEach(
                """
                SELECT \(raw: table.columnList) FROM \(table) WHERE \(key) > \(last) ORDER BY \(key) LIMIT \(limit: size)
                """
            ) { rows.append($0) }
            guard let end = rows.last else { return }
            try body(rows)
            last = end[0]
        }
    }
}
