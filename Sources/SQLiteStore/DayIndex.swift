import GRDB
import PhoneDomain

/// An index that has the day in front of what is searched for: a number, a digest, a gateway's name.
///
/// Those lie anywhere. By them alone, each row that is added changes a page anywhere in an index of all rows: with
/// millions of them a page that must be fetched first, and of its own for each row. With the day in front new rows lie in the
/// newest part, which is small and in memory. For that, whoever searches goes through the days one by one: as many as rows
/// are kept.
///
/// The day is a column that SQLite computes, as ``day(of:)`` does.
struct DayIndex {
    static let verifications = DayIndex(table: VerificationTable.name, day: "expiry_day")
    static let messages = DayIndex(
        table: OutboxMessageTable.name,
        day: "creation_day",
        condition: "gateway_message_id IS NOT NULL"
    )
    static let auditEntries = DayIndex(table: AuditEntryTable.name, day: "day")

    /// For a WHERE: the row is of one of the days that there are.
    let everyDay: String
    private let last: String
    private let table: String

    /// - Parameters:
    ///   - table: what the index is of.
    ///   - day: the column that is computed.
    ///   - condition: what the index's rows fulfil.
    private init(table: String, day: String, condition: String = "TRUE") {
        self.table = table
        last = "SELECT max(\(day)) FROM \(table) WHERE \(day) <= ? AND \(condition)"
        // SQLite would search with the rest of the index only if it was told the day; so it is told every one.
        everyDay = """
            \(day) IN (
                WITH RECURSIVE days(known) AS (
                    SELECT max(\(day)) FROM \(table) WHERE \(condition)
                    UNION ALL SELECT (SELECT max(\(day)) FROM \(table) WHERE \(day) < known AND \(condition)) FROM days
                    WHERE known IS NOT NULL
                )
                SELECT known FROM days WHERE known IS NOT NULL
            )
            """
    }

    /// The day of a moment: since 1970, and toward it if it is before, as SQLite divides.
    static func day(of moment: Timestamp) -> Int64 { moment.milliseconds / 86_400_000 }

    /// Looks in each of the days that there are, the newest first, until something is found.
    func first<Value>(
        in db: Database,
        from first: Int64 = .min,
        through last: Int64 = .max,
        look: (_ day: Int64) throws -> Value?
    ) throws -> Value? {
        var end = last
        while end >= first, let day = try lastDay(through: end, in: db), day >= first {
            if let found = try look(day) { return found }
            guard day > .min else { break }
            end = day - 1
        }
        return nil
    }

    private func lastDay(through day: Int64, in db: Database) throws -> Int64? {
        try db.first(last, [day], of: table) { row in try row.next(as: Int64?.self) } ?? nil
    }
}
