import PhoneDomain

/// The rows of `traffic`: none for numbers that nothing is known of.
enum TrafficTable: Table {
    static let name = "traffic"
    static let columns: [(name: String, type: ColumnType)] = [
        ("key", .text), ("hours", .text), ("blocked_until", .integer), ("refused_in_block", .integer),
        ("silent_since", .integer),
    ]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.traffic = [key]
        return keys
    }

    static func write(_ traffic: Traffic, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(NumberList.text(traffic.hours.flatMap(Self.numbers)))
        row.write(traffic.blockedUntil)
        row.write(traffic.refusedInBlock)
        // Nil only for traffic of which nothing is known, and that has no row.
        row.write(traffic.silentSince ?? Timestamp(milliseconds: 0))
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: Traffic) {
        let key = try row.nextText()
        let hours = try row.next(parsedBy: hours)
        let traffic = Traffic(
            hours: hours,
            blockedUntil: try row.nextOptionalMoment(),
            refusedInBlock: try row.nextCount()
        )
        return (key, traffic)
    }

    private static func numbers(_ hour: Traffic.Hour) -> [Int64] {
        [hour.number, Int64(hour.sent), Int64(hour.approved), Int64(hour.heldBack)]
    }

    /// Four numbers for each hour.
    private static func hours(_ text: String) -> [Traffic.Hour]? {
        guard let numbers = NumberList.numbers(text), numbers.count.isMultiple(of: 4) else { return nil }
        var hours: [Traffic.Hour] = []
        for first in stride(from: 0, to: numbers.count, by: 4) {
            let (sent, approved, heldBack) = (numbers[first + 1], numbers[first + 2], numbers[first + 3])
            hours.append(
                Traffic.Hour(
                    number: numbers[first],
                    sent: Int(sent),
                    approved: Int(approved),
                    heldBack: Int(heldBack)
                )
            )
        }
        return hours
    }
}
