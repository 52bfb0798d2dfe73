import PhoneDomain

/// The rows of `number_activity`: none for a number that nothing is known of.
enum NumberActivityTable: Table {
    static let name = "number_activity"
    static let columns: [(name: String, type: ColumnType)] = [
        ("e164", .text), ("recent_sends", .text), ("recent_send_count", .integer), ("senders", .text),
        ("sends_in_run", .integer), ("consecutive_failures", .integer), ("last_failure_at", .integer),
        ("silent_since", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.numbers = [key]
        return keys
    }

    static func write(_ activity: NumberActivity, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(NumberList.text(activity.recentSends.map(\.milliseconds)))
        row.write(activity.recentSends.count)
        row.write(activity.sendersText)
        row.write(activity.sendsInRun)
        row.write(activity.consecutiveFailures)
        row.write(activity.lastFailureAt)
        // Nil only for one of which nothing is known, and that has no row.
        row.write(activity.silentSince ?? Timestamp(milliseconds: 0))
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: NumberActivity) {
        let key = try row.nextText()
        let recentSends = try row.next(parsedBy: NumberList.numbers).map(Timestamp.init(milliseconds:))
        _ = try row.nextCount()
        let senders = NumberActivity.senders(try row.nextText())
        return (
            key,
            NumberActivity(
                recentSends: recentSends,
                senders: senders,
                sendsInRun: try row.nextCount(),
                consecutiveFailures: try row.nextCount(),
                lastFailureAt: try row.nextOptionalMoment()
            )
        )
    }
}
