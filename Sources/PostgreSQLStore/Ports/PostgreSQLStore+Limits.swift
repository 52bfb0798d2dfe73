public import PhoneDomain

extension PostgreSQLStore: LimitStore {
    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        try await read(
            "SELECT key, full_at FROM rate_meter WHERE full_at > $1 ORDER BY full_at DESC, key LIMIT $2",
            [.integer(RateMeter.fullAt(now)), .integer(max(0, limit))],
            of: RateMeterTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            let (key, meter) = try RateMeterTable.read(&row)
            return MeterInUse(key: LimitKey(rawValue: key), meter: meter)
        }
    }

    public func busyNumbers(sends: Int, failures: Int, limit: Int) async throws -> [BusyNumber] {
        try await read(
            """
            SELECT \(NumberActivityTable.columnNames) FROM number_activity
            WHERE consecutive_failures >= $1 OR recent_send_count >= $2 ORDER BY e164 LIMIT $3
            """,
            [.integer(failures), .integer(sends), .integer(max(0, limit))],
            of: NumberActivityTable.name
        ) { (row) throws(PostgreSQLStoreError) in
            let (e164, activity) = try NumberActivityTable.read(&row)
            return BusyNumber(e164: e164, activity: activity)
        }
    }

    public func clear(_ key: LimitKey) async throws -> Bool {
        try await transact { try $0.run("DELETE FROM rate_meter WHERE key = $1", [.text(key.description)]) > 0 }
    }

    public func clearActivity(of number: PhoneNumber) async throws -> Bool {
        try await transact { try $0.run("DELETE FROM number_activity WHERE e164 = $1", [.text(number.e164)]) > 0 }
    }
}
