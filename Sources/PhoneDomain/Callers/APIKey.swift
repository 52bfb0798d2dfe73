/// A key by which a program that calls the service is known. Its secret is not in it, only the secret's digest.
public struct APIKey: Identified, Hashable, Sendable {
    public static let identifierPrefix = "key"

    /// Its name, by which it is listed and revoked; no secret.
    public let id: ID
    /// The program that holds it. Several keys may have one name, so that a program can change from one to the next and
    /// keep what it has begun.
    public let name: CallerName
    /// The digest of its secret (``TokenVault/digest(of:)``).
    public let digest: [UInt8]
    /// What its holder may do; never empty.
    public let scopes: Set<APIScope>
    /// The account whose tenants it is good for, and then for nothing else; nil for a key of the service's own interface. The
    /// key of the account's name is the one that made it.
    public let account: TenantAccount.ID?
    /// The only tenant that it is good for; nil for all of the account.
    public let tenant: Tenant.ID?
    /// When it was made.
    public let createdAt: Timestamp
    /// When it was last used, to within ``useInterval``; nil if it never was.
    public private(set) var lastUsedAt: Timestamp?
    /// From when on it is worth nothing; nil as long as it is good.
    public private(set) var revokedAt: Timestamp?

    /// How long a use may go unrecorded after another: a key that is used a thousand times a second is not written as
    /// often.
    public static let useInterval: Duration = .seconds(60)

    /// A key as a store kept it.
    public init(
        id: ID,
        name: CallerName,
        digest: [UInt8],
        scopes: Set<APIScope>,
        account: TenantAccount.ID? = nil,
        tenant: Tenant.ID? = nil,
        createdAt: Timestamp,
        lastUsedAt: Timestamp? = nil,
        revokedAt: Timestamp? = nil
    ) {
        self.id = id
        self.name = name
        self.digest = digest
        self.scopes = scopes
        self.account = account
        self.tenant = tenant
        self.createdAt = createdAt
        self.lastUsedAt = lastUsedAt
        self.revokedAt = revokedAt
    }

    /// Who asks for what is asked for with this key.
    public var owner: Owner { .caller(name) }

    /// Makes the key worth nothing from now on.
    ///
    /// - Returns: whether it was worth anything.
    public mutating func revoke(at now: Timestamp) -> Bool {
        guard revokedAt == nil else { return false }
        revokedAt = now
        return true
    }

    /// Whether a use at this moment is to be recorded.
    public func isUseWorthRecording(at now: Timestamp) -> Bool {
        lastUsedAt.map { $0 + Self.useInterval <= now } ?? true
    }

    /// Records a use. Of several instances one may be late with its word; the latest use stands.
    public mutating func recordUse(at now: Timestamp) {
        lastUsedAt = max(lastUsedAt ?? now, now)
    }
}
