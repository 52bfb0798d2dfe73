public import PhoneDomain

extension MemoryStore: APIKeyStore {
    public func insert(_ key: APIKey) throws {
        try reach()
        keys[key.id] = key
    }

    public func apiKey(_ id: APIKey.ID) throws -> APIKey? {
        try reach()
        return keys[id]
    }

    public func apiKeys() throws -> [APIKey] {
        try reach()
        return keys.values.sorted { ($0.createdAt, $0.id.description) < ($1.createdAt, $1.id.description) }
    }

    public func revoke(_ id: APIKey.ID, at now: Timestamp) throws -> APIKey? {
        try reach()
        _ = keys[id]?.revoke(at: now)
        return keys[id]
    }

    public func recordUse(of id: APIKey.ID, at now: Timestamp) throws {
        try reach()
        keys[id]?.recordUse(at: now)
    }
}
