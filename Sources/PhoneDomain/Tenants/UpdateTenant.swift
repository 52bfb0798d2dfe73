/// A change to a tenant.
public struct UpdateTenant: Sendable {
    /// The tenant.
    public let id: Tenant.ID
    /// Whose it must be.
    public let account: TenantAccount.ID
    /// The moment.
    public let now: Timestamp
    /// The change, or why it cannot be; then nothing is kept. It may be called more than once.
    public let change: @Sendable (inout Tenant) -> TenantFailure?

    /// A change of these parts.
    public init(
        id: Tenant.ID,
        account: TenantAccount.ID,
        now: Timestamp,
        change: @escaping @Sendable (inout Tenant) -> TenantFailure?
    ) {
        self.id = id
        self.account = account
        self.now = now
        self.change = change
    }

    /// Changes the tenant, or says why not, and leaves it as it was then.
    public func apply(to tenant: inout Tenant?) -> Result<Tenant, TenantFailure> {
        guard let found = tenant, found.account == account else { return .failure(.notFound) }
        var changed = found
        if let failure = change(&changed) { return .failure(failure) }
        changed.updatedAt = now
        tenant = changed
        return .success(changed)
    }
}
