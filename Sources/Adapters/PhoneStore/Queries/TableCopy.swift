public import PhoneAdministration
public import PhoneDomain

/// Copies every table of one transaction into another, and counts what both have. A ``StoreCopy`` goes from store to
/// store, and can be continued; this sees the source as of one moment, and is all or nothing.
///
/// Rows are passed on as they are, those that cannot be read too: a backup keeps what is there.
public struct TableCopy: Sendable {
    /// What there is of each table, in the order of ``RecordTypes/tables``.
    public typealias Tallies = [RecordTally]

    private static let pageSize = 2000
    public let types: RecordTypes
    private let digester: any RequestAuthenticator
    private let report: @Sendable (CopyProgress) -> Void

    /// - Parameter report: is called after every page.
    public init(
        of types: RecordTypes,
        digester: any RequestAuthenticator,
        reporting report: @escaping @Sendable (CopyProgress) -> Void = { _ in }
    ) {
        (self.types, self.digester, self.report) = (types, digester, report)
    }

    /// - Parameter write: keeps rows of a table.
    /// - Returns: what was passed on.
    public func copy(
        from source: any SQLSession,
        _ write: (_ rows: [Row], _ table: Table) throws -> Void
    ) throws -> Tallies { try pass(source, .copying, write) }

    func tallies(of session: any SQLSession) throws -> Tallies { try pass(session, .checking) { _, _ in } }

    /// What a table of a backup contains, in any order, by the columns that it had in the version that made it.
    public func tally(of table: String, columns: String, in session: any SQLSession) throws -> RecordTally {
        let total = try session.count(of: SQL(raw: table))
        var tally = RecordTally()
        func report() {
            self.report(CopyProgress(phase: .verifying, kind: table, done: tally.count, total: total))
        }
        try session.forEach("SELECT \(raw: columns) FROM \(raw: table)") { row in
            tally.add(try digest(of: row, in: table))
            if tally.count.isMultiple(of: Self.pageSize) { report() }
        }
        report()
        return tally
    }

    public func digest(of row: Row, in table: String) throws -> RecordDigest {
        RecordDigest(bytes: try digester.sha256(of: row.encoded(as: table)))
    }

    public func result(copied: Tallies, found: Tallies) -> CopyResult {
        let parts = zip(types.tables, zip(copied, found))
            .map { CopyResult.Part(kind: $0.name, copied: $1.0, source: $1.0, target: $1.1) }
        return CopyResult(parts: parts, heldBefore: 0)
    }

    private func pass(
        _ session: any SQLSession,
        _ phase: CopyProgress.Phase,
        _ body: ([Row], Table) throws -> Void
    ) throws -> Tallies {
        try types.tables.map { table in
            let total = try session.count(of: "\(table)")
            var tally = RecordTally()
            try session.forEachPage(of: table, size: Self.pageSize) { rows in
                try body(rows, table)
                for row in rows { tally.add(try digest(of: row, in: table.name)) }
                report(CopyProgress(phase: phase, kind: table.name, done: tally.count, total: total))
            }
            return tally
        }
    }
}

extension SQLSession {
    func count(of table: SQL) throws -> Int {
        var count = 0
        try forEach("SELECT count(*) FROM \(table)") { count = Int($0.columns[0].integer) }
        return count
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
