public import PhoneDomain

extension SQLiteStore: LimitStore {
    public func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse] {
        try await read { try $0.meters.inUse(at: now, limit: max(0, limit)) }
    }

    public func busyNumbers(sends: Int, failures: Int, limit: Int) async throws -> [BusyNumber] {
        try await read { try $0.activities.busy(sends: sends, failures: failures, limit: max(0, limit)) }
    }

    public func clear(_ key: LimitKey) async throws -> Bool {
        try await write { try $0.meters.delete(key) }
    }

    public func clearActivity(of number: PhoneNumber) async throws -> Bool {
        try await write { try $0.activities.delete(e164: number.e164) }
    }
}
