import PhoneAccounts
import PhoneDomain

/// The keys of tenants' accounts. A secret is 32 lower-case hexadecimal digits, as Twilio's are.
struct TenantKeys: Sendable {
    let keys: APIKeys

    /// Creates a key, and a new account unless one is given. `tenant` is the only tenant that it gives access to; nil
    /// for all of the account. The secret is returned once.
    func create(
        name: CallerName,
        account: TenantAccount.ID? = nil,
        tenant: Tenant.ID? = nil,
        by author: Operator = Operator()
    ) async throws -> (key: TenantKey, secret: SecretToken) {
        let id: APIKey.ID = try keys.identifiers.makeIdentifier()
        let secret = SecretToken(try keys.identifiers.makeRandomText())
        let account = account ?? TenantAccount.ID(bits: id.bits.high, id.bits.low)
        let key = TenantKey(id: id, account: account, tenant: tenant)
        _ = try await keys.create(
            id,
            name: name,
            scopes: [.verifications],
            audience: key.audience,
            secret: secret,
            by: author
        )
        return (key, secret)
    }

    /// The key with this ID and this secret, unless it is revoked; nil for anything else.
    func key(_ id: APIKey.ID, _ secret: SecretToken) async throws -> TenantKey? {
        try await keys.key(id, secret).flatMap { TenantKey($0) }
    }
}

/// What an API key of tenants gives access to.
struct TenantKey: Hashable, Sendable {
    let id: APIKey.ID
    let account: TenantAccount.ID
    /// The only tenant that it may act for; nil for all of the account.
    let tenant: Tenant.ID?

    /// Whether it is the one that created the account, and has its SID.
    var isFirst: Bool { account.hexadecimal == id.hexadecimal }

    /// What is stored, and what `keys list` shows: the SIDs of the account and, after a slash, of the tenant.
    var audience: String { account.sid + (tenant.map { "/" + $0.sid } ?? "") }
}

extension TenantKey {
    /// Nil for a key of another API.
    init?(_ key: APIKey) {
        let parts = key.audience?.split(separator: "/") ?? []
        guard (1...2).contains(parts.count), let account = TenantAccount.ID(sid: parts[0]) else { return nil }
        let tenant = parts.count == 2 ? Tenant.ID(sid: parts[1]) : nil
        guard parts.count == 1 || tenant != nil else { return nil }
        self.init(id: key.id, account: account, tenant: tenant)
    }
}
