import GRDB
import PhoneDomain

/// The rows of `number_activity`: none for a number that nothing is known of.
struct NumberActivityTable {
    static let name = "number_activity"

    let db: Database

    func find(e164: String) throws -> NumberActivity {
        try db.first(
            """
            SELECT recent_sends, senders, sends_in_run, consecutive_failures, last_failure_at
            FROM number_activity WHERE e164 = ?
            """,
            [e164],
            of: Self.name,
            read: Self.read
        ) ?? .none
    }

    /// Keeps what a command left of the activity that was loaded.
    func save(_ activity: NumberActivity, of e164: String, loaded: NumberActivity) throws {
        guard activity != loaded else { return }
        guard let silentSince = activity.silentSince else {
            try db.run("DELETE FROM number_activity WHERE e164 = ?", [e164])
            return
        }
        guard loaded.silentSince != nil else { return try insert(BusyNumber(e164: e164, activity: activity)) }
        // Not INSERT OR REPLACE, for which SQLite copies the pages first.
        try db.run(
            """
            UPDATE number_activity
            SET recent_sends = ?, senders = ?, sends_in_run = ?, consecutive_failures = ?, last_failure_at = ?, silent_since = ?
            WHERE e164 = ?
            """,
            [
                Self.text(activity.recentSends), activity.sendersText, activity.sendsInRun,
                activity.consecutiveFailures,
                activity.lastFailureAt?.milliseconds, silentSince.milliseconds, e164,
            ]
        )
    }

    /// Adds what a number has been through; of one that nothing is known of there is nothing to add.
    func insert(_ number: BusyNumber) throws {
        let activity = number.activity
        guard let silentSince = activity.silentSince else { return }
        try db.run(
            """
            INSERT INTO number_activity (
                e164, recent_sends, senders, sends_in_run, consecutive_failures, last_failure_at, silent_since
            ) VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            [
                number.e164, Self.text(activity.recentSends), activity.sendersText, activity.sendsInRun,
                activity.consecutiveFailures,
                activity.lastFailureAt?.milliseconds, silentSince.milliseconds,
            ]
        )
    }

    /// Those with at least so many messages or wrong codes. It reads the whole table, which only an operator's question
    /// does.
    func busy(sends: Int, failures: Int, limit: Int) throws -> [BusyNumber] {
        try db.all(
            """
            SELECT e164, recent_sends, senders, sends_in_run, consecutive_failures, last_failure_at FROM number_activity
            WHERE consecutive_failures >= ? OR json_array_length(recent_sends) >= ?
            ORDER BY e164 LIMIT ?
            """,
            [failures, sends, limit],
            of: Self.name,
            read: Self.readNumber
        )
    }

    /// The numbers that come behind this text, in order.
    func page(after key: String, limit: Int) throws -> [BusyNumber] {
        try db.all(
            """
            SELECT e164, recent_sends, senders, sends_in_run, consecutive_failures, last_failure_at FROM number_activity
            WHERE e164 > ? ORDER BY e164 LIMIT ?
            """,
            [key, limit],
            of: Self.name,
            read: Self.readNumber
        )
    }

    func delete(e164: String) throws -> Bool {
        try db.run("DELETE FROM number_activity WHERE e164 = ?", [e164]) > 0
    }

    private static func readNumber(_ row: inout RowReader) throws(SQLiteStoreError) -> BusyNumber {
        BusyNumber(e164: try row.next(), activity: try read(&row))
    }

    private static func read(_ row: inout RowReader) throws(SQLiteStoreError) -> NumberActivity {
        NumberActivity(
            recentSends: try row.next(parsedBy: moments),
            senders: NumberActivity.senders(try row.next()),
            sendsInRun: try row.next(),
            consecutiveFailures: try row.next(),
            lastFailureAt: try row.nextOptionalMoment()
        )
    }

    private static func text(_ moments: [Timestamp]) -> String {
        "[" + moments.map { String($0.milliseconds) }.joined(separator: ",") + "]"
    }

    private static func moments(_ text: String) -> [Timestamp]? {
        guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
        let numbers = text.utf8.dropFirst().dropLast().split(separator: UInt8(ascii: ","))
        let moments = numbers.compactMap { Int64(Substring($0)).map(Timestamp.init(milliseconds:)) }
        return moments.count == numbers.count ? moments : nil
    }
}
