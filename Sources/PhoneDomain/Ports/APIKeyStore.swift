/// The durable state of API keys. Every method throws if the store cannot be reached or cannot write.
public protocol APIKeyStore: Sendable {
    /// Keeps a new key.
    func insert(_ key: APIKey) async throws

    /// The key of this name, revoked or not, or nil. What was committed before it is asked for, by whatever instance, is in
    /// the answer.
    func apiKey(_ id: APIKey.ID) async throws -> APIKey?

    /// Every key, revoked ones as well, in order of their making and then of their names.
    func apiKeys() async throws -> [APIKey]

    /// Makes a key worth nothing.
    ///
    /// - Returns: the key as it is now, or nil if there is none; one that was revoked before stays as it was.
    func revoke(_ id: APIKey.ID, at now: Timestamp) async throws -> APIKey?

    /// Records a use (``APIKey/recordUse(at:)``), if there is such a key.
    func recordUse(of id: APIKey.ID, at now: Timestamp) async throws
}
