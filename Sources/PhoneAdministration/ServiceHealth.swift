public import PhoneDomain

/// What a store says of itself.
public struct StoreFacts: Hashable, Sendable {
    /// `SQLite` or `PostgreSQL`.
    public let engine: String
    public let schemaVersion: Int
    /// The database, free pages included, and without SQLite's log.
    public let bytes: Int
    /// The connections of all instances and commands; nil where the engine does not know.
    public let connections: Int?

    public init(engine: String, schemaVersion: Int, bytes: Int, connections: Int?) {
        (self.engine, self.schemaVersion, self.bytes, self.connections) = (engine, schemaVersion, bytes, connections)
    }
}

/// The state of a service as an operator asks for it.
public struct ServiceHealth: Sendable {
    public let store: StoreFacts
    public let validKeys: Int
    /// When the oldest valid API key was created.
    public let oldestKey: Timestamp?
    /// The signing keys that are published, in order of creation.
    public let signingKeys: [SigningKey]
    public let overrides: [Override]
    /// What is set, without ``warnings``.
    public let settings: [(what: String, value: String)]
    /// What is unsafe about it.
    public let warnings: [String]
}

extension Administration {
    public func health() async throws -> ServiceHealth {
        let keys = try await store.apiKeys().filter { $0.revokedAt == nil }
        let (entries, kinds) = (configuration(), ["warning", "error"] as Set)
        return ServiceHealth(
            store: try await store.facts(),
            validKeys: keys.count,
            oldestKey: keys.map(\.createdAt).min(),
            signingKeys: try await store.signingKeys().published(at: now),
            overrides: try await store.overrides(),
            settings: entries.filter { !kinds.contains($0.what) },
            warnings: entries.filter { kinds.contains($0.what) }.map(\.value)
        )
    }
}
