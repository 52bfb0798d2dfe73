import PhoneDomain

/// The rows of `rate_meter`: none for a key that has its whole quota.
enum RateMeterTable: Table {
    static let name = "rate_meter"
    static let columns: [(name: String, type: ColumnType)] = [("key", .text), ("full_at", .integer)]

    static func keys(of key: String) -> RowKeys {
        var keys = RowKeys()
        keys.meters = [key]
        return keys
    }

    static func write(_ meter: RateMeter, under key: String, to row: inout RowWriter) {
        row.write(key)
        row.write(meter.fullAt)
    }

    static func read(_ row: inout RowReader) throws(PostgreSQLStoreError) -> (key: String, value: RateMeter) {
        (try row.nextText(), RateMeter(fullAt: try row.nextInteger()))
    }
}
