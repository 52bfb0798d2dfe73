public import PhoneDomain

extension SQLiteStore: APIKeyStore {
    public func insert(_ key: APIKey) async throws {
        try await write { try $0.apiKeys.insert(key) }
    }

    public func apiKey(_ id: APIKey.ID) async throws -> APIKey? {
        try await lookUp { try $0.apiKeys.find(id) }
    }

    public func apiKeys() async throws -> [APIKey] {
        try await read { try $0.apiKeys.all() }
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
        try await write { tables in
            guard let loaded = try tables.apiKeys.find(id) else { return nil }
            var key = loaded
            change(&key)
            if key != loaded { try tables.apiKeys.update(key) }
            return key
        }
    }
}
