public import PhoneDomain
import Synchronization

/// A key's text is `pk_`, the 32 hexadecimal digits of its ID, an underscore and 256 random bits in base64url: the
/// prefix is for people and for scanners of leaked secrets, the ID finds the row, and what is compared, in constant
/// time, is the digest of the whole. With 256 random bits it needs neither salt nor a slow hash. Every method throws
/// what the ports throw.
public final class APIKeys: Sendable {
    private let store: any APIKeyStore
    private let tokens: any TokenVault
    public let identifiers: any IdentifierSource
    private let clock: any WallClock
    /// Those that were valid when they were last looked up.
    private let known = Mutex<[APIKey.ID: APIKey]>([:])

    public init(
        store: any APIKeyStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock
    ) {
        (self.store, self.tokens, self.identifiers, self.clock) = (store, tokens, identifiers, clock)
    }

    /// Creates and saves a key. Its secret is returned once.
    public func create(
        name: CallerName,
        scopes: Set<APIScope>,
        by author: Operator = Operator()
    ) async throws -> (key: APIKey, secret: SecretToken) {
        let id: APIKey.ID = try identifiers.makeIdentifier()
        let secret = try tokens.makeToken(prefix: Self.prefix + id.hexadecimal + "_")
        return (try await create(id, name: name, scopes: scopes, secret: secret, by: author), secret)
    }

    /// Saves a key of an API in somebody else's words, which has chosen its ID and its secret.
    public func create(
        _ id: APIKey.ID,
        name: CallerName,
        scopes: Set<APIScope>,
        audience: String? = nil,
        secret: SecretToken,
        by author: Operator
    ) async throws -> APIKey {
        let key = APIKey(
            id: id,
            name: name,
            digest: try tokens.digest(of: secret),
            scopes: scopes,
            audience: audience,
            createdAt: clock.now()
        )
        try await store.insert(key, audit: author.entry(.createKey, id.description, at: key.createdAt))
        return key
    }

    /// The key of this secret, unless it is revoked; nil for anything else, and for a key of another API.
    ///
    /// The store is asked every time, so that a revocation applies at once, on every instance. A use that could not be
    /// recorded is no reason to reject the client.
    public func key(of secret: SecretToken) async throws -> APIKey? {
        guard let id: APIKey.ID = secret.identifier(behind: Self.prefix), let key = try await key(id, secret),
            key.audience == nil
        else { return nil }
        return key
    }

    /// The key with this ID and this secret, whatever it gives access to (``APIKey/audience``), unless it is revoked.
    public func key(_ id: APIKey.ID, _ secret: SecretToken) async throws -> APIKey? {
        guard let key = try await store.apiKey(id), try tokens.matches(secret, digest: key.digest),
            key.revokedAt == nil
        else { return nil }
        let now = clock.now()
        if key.shouldRecordUse(at: now) { try? await store.recordUse(of: key.id, at: now) }
        return key
    }

    /// What ``key(of:)`` does, but the store is asked about a valid key once in ``APIKey/useInterval`` only. Between,
    /// the key may have been revoked: `isConfirmed` says whether the store was asked now. If not, the command that
    /// serves the client must have its transaction check the key (``RequestContext/apiKey``).
    public func knownKey(of secret: SecretToken) async throws -> (key: APIKey, isConfirmed: Bool)? {
        if let key = try unconfirmedKey(of: secret) { return (key, false) }
        guard var key = try await key(of: secret) else { return nil }
        key.recordUse(at: clock.now())
        known.withLock { known in
            // More than there are: beyond it all are looked up again.
            if known.count >= 10_000 { known.removeAll() }
            known[key.id] = key
        }
        return (key, true)
    }

    /// The key, if the store need not be asked now (``knownKey(of:)``).
    public func unconfirmedKey(of secret: SecretToken) throws -> APIKey? {
        guard let id: APIKey.ID = secret.identifier(behind: Self.prefix), let key = known.withLock({ $0[id] }),
            !key.shouldRecordUse(at: clock.now()), try tokens.matches(secret, digest: key.digest)
        else { return nil }
        return key
    }

    public static let prefix = "pk_"
}
