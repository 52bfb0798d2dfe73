public import PhoneDomain

extension SQLiteStore: GuardStore {
    public func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        try await read { Array(KeyedTraffic.ranked(try $0.traffic.all(), at: now).prefix(max(0, limit))) }
    }

    public func traffic(of key: TrafficKey) async throws -> Traffic {
        try await read { try $0.traffic.find(key) ?? .none }
    }

    public func guardRules() async throws -> [GuardRule] {
        try await read { try $0.guardRules.all() }
    }

    public func set(_ rule: GuardRule) async throws {
        try await write { try $0.guardRules.save(rule) }
    }

    public func removeGuardRule(prefix: String) async throws -> GuardRule? {
        try await write { tables in
            let rule = try tables.guardRules.find(prefix: prefix)
            try tables.guardRules.delete(prefix: prefix)
            return rule
        }
    }

    public func unblock(beginning: String) async throws -> [String] {
        try await write { tables in
            try tables.traffic.blocked(beginning: beginning).map { blocked in
                var traffic = blocked.traffic
                traffic.unblock()
                tables.traffic.save(traffic, key: blocked.key, loaded: blocked.traffic)
                return blocked.key.description
            }
        }
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        try await read { tables in
            // Each digest by itself, since its index gives the newest without sorting the rest.
            let found = try prefix.flatMap { try tables.audit.verdicts(prefix: $0, limit: max(0, limit)) }
            return found.sorted { $0.cursor.serial > $1.cursor.serial }.prefix(max(0, limit)).map(\.entry)
        }
    }
}
