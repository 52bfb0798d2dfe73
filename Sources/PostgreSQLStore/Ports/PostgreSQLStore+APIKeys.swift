public import PhoneDomain

extension PostgreSQLStore: APIKeyStore {
    public func insert(_ key: APIKey) async throws {
        _ = try await transact { try $0.run(APIKeyTable.inserts([(key.id.description, key)])) }
    }

    public func apiKey(_ id: APIKey.ID) async throws -> APIKey? {
        try await read(APIKeyTable.self, "WHERE id = $1", [.text(id.description)]).first
    }

    public func apiKeys() async throws -> [APIKey] {
        try await read(APIKeyTable.self, "ORDER BY created_at, id")
    }

    public func revoke(_ id: APIKey.ID, at now: Timestamp) async throws -> APIKey? {
        try await change(id) { _ = $0.revoke(at: now) }
    }

    public func recordUse(of id: APIKey.ID, at now: Timestamp) async throws {
        _ = try await change(id) { $0.recordUse(at: now) }
    }

    private func change(
        _ id: APIKey.ID,
        _ change: @escaping @Sendable (inout APIKey) -> Void
    ) async throws -> APIKey? {
        try await transact { transaction in
            let found = try transaction.all(APIKeyTable.self, "WHERE id = $1 FOR UPDATE", [.text(id.description)])
            guard let loaded = found.first?.value else { return nil }
            var key = loaded
            change(&key)
            if key != loaded { try transaction.run(APIKeyTable.updates([(id.description, key)])) }
            return key
        }
    }
}
