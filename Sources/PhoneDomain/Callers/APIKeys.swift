/// Makes keys, tells by them who calls, and takes them back.
///
/// A key's text is `pk_`, the 32 hexadecimal digits of its identifier, an underscore and 256 random bits in base64url: the
/// prefix is for people and for scanners of leaked secrets, the identifier finds the row, and what is compared, in
/// constant time, is the digest of the whole. So many random bits need neither salt nor a slow hash.
public struct APIKeys: Sendable {
    private let store: any APIKeyStore
    private let tokens: any TokenVault
    private let identifiers: any IdentifierSource
    private let clock: any WallClock

    /// The keys in this store.
    public init(
        store: any APIKeyStore,
        tokens: any TokenVault,
        identifiers: any IdentifierSource,
        clock: any WallClock
    ) {
        self.store = store
        self.tokens = tokens
        self.identifiers = identifiers
        self.clock = clock
    }

    /// Makes a key and keeps it.
    ///
    /// - Returns: the key, and its secret, which nobody can have again.
    /// - Throws: what the ports throw.
    public func create(name: CallerName, scopes: Set<APIScope>) async throws -> (key: APIKey, secret: SecretToken) {
        let id: APIKey.ID = try identifiers.makeIdentifier()
        let secret = try tokens.makeToken(prefix: Self.prefix + id.hexadecimal + "_")
        let key = APIKey(
            id: id,
            name: name,
            digest: try tokens.digest(of: secret),
            scopes: scopes,
            createdAt: clock.now()
        )
        try await store.insert(key)
        return (key, secret)
    }

    /// The key of this secret, unless it is revoked; nil for anything else.
    ///
    /// The store is asked every time, so that a revocation holds at once, on every instance.
    ///
    /// - Throws: what the ports throw. That the use could not be recorded is no reason to turn the caller away.
    public func key(of secret: SecretToken) async throws -> APIKey? {
        guard let id = Self.id(in: secret), let key = try await store.apiKey(id),
            try tokens.matches(secret, digest: key.digest), key.revokedAt == nil
        else { return nil }
        let now = clock.now()
        if key.isUseWorthRecording(at: now) { try? await store.recordUse(of: id, at: now) }
        return key
    }

    /// What every key begins with.
    public static let prefix = "pk_"

    private static func id(in secret: SecretToken) -> APIKey.ID? {
        let parts = secret.text.split(separator: "_", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0] == prefix.dropLast() else { return nil }
        return APIKey.ID(hexadecimal: parts[1])
    }
}
