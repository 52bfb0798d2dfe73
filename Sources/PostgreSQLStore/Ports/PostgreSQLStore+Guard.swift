public import PhoneDomain

extension PostgreSQLStore: GuardStore {
    public func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic] {
        let all = try await read(
            "SELECT \(TrafficTable.columnNames) FROM traffic",
            of: TrafficTable.name,
            read: TrafficTable.readKeyed
        )
        return Array(KeyedTraffic.ranked(all, at: now).prefix(max(0, limit)))
    }

    public func traffic(of key: TrafficKey) async throws -> Traffic {
        try await read(TrafficTable.self, "WHERE key = $1", [.text(key.description)]).first ?? .none
    }

    public func guardRules() async throws -> [GuardRule] {
        // Sorted here: the server's order is that of its language.
        try await read(GuardRuleTable.self, "").sorted { $0.prefix < $1.prefix }
    }

    public func set(_ rule: GuardRule) async throws {
        _ = try await transact { try $0.run(GuardRuleTable.updates([(rule.prefix, rule)])) }
    }

    public func removeGuardRule(prefix: String) async throws -> GuardRule? {
        try await transact { transaction in
            let rule = try transaction.all(GuardRuleTable.self, "WHERE prefix = $1 FOR UPDATE", [.text(prefix)]).first
            try transaction.run(GuardRuleTable.deletes(rule.map { [$0.key] } ?? []))
            return rule?.value
        }
    }

    public func unblock(beginning: String) async throws -> [String] {
        try await transact { transaction in
            let blocked = try transaction.all(
                TrafficTable.self,
                "WHERE left(key, length($1)) = $1 AND blocked_until IS NOT NULL ORDER BY key FOR UPDATE",
                [.text(beginning)]
            )
            let unblocked = blocked.map { row in
                var traffic = row.value
                traffic.unblock()
                return (key: row.key, value: traffic)
            }
            try transaction.run(
                TrafficTable.updates(unblocked.filter { $0.value.silentSince != nil })
                    + TrafficTable.deletes(unblocked.filter { $0.value.silentSince == nil }.map(\.key))
            )
            return blocked.map(\.key).sorted()
        }
    }

    public func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry] {
        var found: [AuditEntryTable.Place] = []
        // Each digest by itself, since its index gives the newest without sorting the rest.
        for digest in prefix {
            found += try await read(
                """
                SELECT \(AuditEntryTable.columnNames) FROM audit_entry
                WHERE prefix_digest = $1 AND verdict IS NOT NULL ORDER BY id DESC LIMIT $2
                """,
                [.text(digest.description), .integer(max(0, limit))],
                of: AuditEntryTable.name,
                read: AuditEntryTable.read
            )
        }
        return found.sorted { $0.cursor.serial > $1.cursor.serial }.prefix(max(0, limit)).map(\.entry)
    }
}

extension TrafficTable {
    fileprivate static func readKeyed(_ row: inout RowReader) throws(PostgreSQLStoreError) -> KeyedTraffic {
        let (text, traffic) = try read(&row)
        guard let key = TrafficKey(text) else { throw .unreadable(table: name, column: 0) }
        return KeyedTraffic(key: key, traffic: traffic)
    }
}
