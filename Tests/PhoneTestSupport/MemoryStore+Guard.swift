public import PhoneDomain

extension MemoryStore: GuardStore {
    public func traffic(at now: Timestamp, limit: Int) throws -> [KeyedTraffic] {
        try reach()
        let all = traffic.map { KeyedTraffic(key: $0.key, traffic: $0.value) }
        return Array(KeyedTraffic.ranked(all, at: now).prefix(limit))
    }

    public func traffic(of key: TrafficKey) throws -> Traffic {
        try reach()
        return traffic[key] ?? .none
    }

    public func guardRules() throws -> [GuardRule] {
        try reach()
        return rules.values.sorted { $0.prefix < $1.prefix }
    }

    public func set(_ rule: GuardRule) throws {
        try reach()
        rules[rule.prefix] = rule
    }

    public func removeGuardRule(prefix: String) throws -> GuardRule? {
        try reach()
        return rules.removeValue(forKey: prefix)
    }

    public func unblock(beginning: String) throws -> [String] {
        try reach()
        let blocked = traffic.filter { $0.value.blockedUntil != nil && $0.key.description.hasPrefix(beginning) }
        for key in blocked.keys { traffic[key] = nil }
        return blocked.keys.map(\.description).sorted()
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) throws -> [AuditEntry] {
        try reach()
        let found = audit.filter { place in
            place.entry.verdict != nil && place.entry.prefixDigest.map(prefix.contains) ?? false
        }
        return found.sorted { $0.cursor > $1.cursor }.prefix(limit).map(\.entry)
    }

    public func purgeTraffic(at now: Timestamp, limit: Int) throws -> Int {
        try reach()
        let full = meters.filter { $0.value.fullAt <= RateMeter.fullAt(now) }
            .sorted { ($0.value.fullAt, $0.key.description) < ($1.value.fullAt, $1.key.description) }
            .prefix(limit)
        for meter in full { meters[meter.key] = nil }
        let silent =
            traffic
            .compactMap { key, traffic in traffic.silentSince.map { (since: $0, key: key) } }
            .filter { $0.since <= now - Traffic.longestMemory }
            .sorted { ($0.since, $0.key.description) < ($1.since, $1.key.description) }
            .prefix(limit)
        for part in silent { traffic[part.key] = nil }
        let over = rules.values
            .compactMap { rule in rule.until.map { (until: $0, prefix: rule.prefix) } }
            .filter { $0.until <= now }
            .sorted { $0 < $1 }
            .prefix(limit)
        for rule in over { rules[rule.prefix] = nil }
        return full.count + silent.count + over.count
    }
}
