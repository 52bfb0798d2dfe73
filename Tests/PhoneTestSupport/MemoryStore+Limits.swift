public import PhoneDomain

extension MemoryStore: LimitStore {
    public func metersInUse(at now: Timestamp, limit: Int) throws -> [MeterInUse] {
        try reach()
        let used = meters.filter { $0.value.fullAt > RateMeter.fullAt(now) }
            .map { MeterInUse(key: $0.key, meter: $0.value) }
            .sorted { ($1.meter.fullAt, $0.key.description) < ($0.meter.fullAt, $1.key.description) }
        return Array(used.prefix(limit))
    }

    public func busyNumbers(sends: Int, failures: Int, limit: Int) throws -> [BusyNumber] {
        try reach()
        let busy =
            activities
            .filter { $0.value.recentSends.count >= sends || $0.value.consecutiveFailures >= failures }
            .map { BusyNumber(e164: $0.key, activity: $0.value) }
            .sorted { $0.e164 < $1.e164 }
        return Array(busy.prefix(limit))
    }

    public func clear(_ key: LimitKey) throws -> Bool {
        try reach()
        return meters.removeValue(forKey: key) != nil
    }

    public func clearActivity(of number: PhoneNumber) throws -> Bool {
        try reach()
        return activities.removeValue(forKey: number.e164) != nil
    }
}
