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
        guard let id = Self.id(in: secret) else { return nil }
        return try await key(id, secret) { $0.account == nil }
    }

    private func key(
        _ id: APIKey.ID,
        _ secret: SecretToken,
        where isMeant: (APIKey) -> Bool
    ) async throws -> APIKey? {
        guard let key = try await store.apiKey(id), isMeant(key), try tokens.matches(secret, digest: key.digest),
            key.revokedAt == nil
        else { return nil }
        let now = clock.now()
        if key.isUseWorthRecording(at: now) { try? await store.recordUse(of: id, at: now) }
        return key
    }

    /// Makes a key of an account of tenants, and with the first one the account.
    ///
    /// - Parameters:
    ///   - name: the program that is to hold it.
    ///   - account: whose it is to be; nil for a new account.
    ///   - tenant: the only tenant that it is to be good for; nil for all of the account.
    /// - Returns: the key, and its secret, which nobody can have again: 32 lower-case hexadecimal digits, as Twilio's are.
    /// - Throws: what the ports throw.
    public func createForTenants(
        name: CallerName,
        account: TenantAccount.ID? = nil,
        tenant: Tenant.ID? = nil
    ) async throws -> (key: APIKey, secret: SecretToken) {
        let id: APIKey.ID = try identifiers.makeIdentifier()
        let secret = SecretToken((try identifiers.makeIdentifier() as APIKey.ID).hexadecimal)
        let key = APIKey(
            id: id,
            name: name,
            digest: try tokens.digest(of: secret),
            scopes: [.verifications],
            account: account ?? TenantAccount.ID(hexadecimal: id.hexadecimal),
            tenant: tenant,
            createdAt: clock.now()
        )
        try await store.insert(key)
        return (key, secret)
    }

    /// The key of an account of tenants with this name and this secret, unless it is revoked; nil for anything else.
    ///
    /// - Parameters:
    ///   - id: its name.
    ///   - isFirst: whether it must be the one that made the account, or must not.
    ///   - secret: its secret.
    /// - Throws: what the ports throw.
    public func keyForTenants(_ id: APIKey.ID, isFirst: Bool, secret: SecretToken) async throws -> APIKey? {
        try await key(id, secret) { key in
            key.account.map { ($0.hexadecimal == id.hexadecimal) == isFirst } ?? false
        }
    }

    /// What every key begins with.
    public static let prefix = "pk_"

    private static func id(in secret: SecretToken) -> APIKey.ID? {
        let parts = secret.text.utf8.split(
            separator: UInt8(ascii: "_"),
            maxSplits: 2,
            omittingEmptySubsequences: false
        )
        guard parts.count == 3, Substring(parts[0]) == prefix.dropLast() else { return nil }
        return APIKey.ID(hexadecimal: Substring(parts[1]))
    }
}
