import PhoneDomain

/// A program that calls in the name of tenants.
struct TenantCaller: Sendable {
    /// Whose tenants they are.
    let account: TenantAccount.ID
    /// The only tenant that it may speak for; nil for all of the account.
    let tenant: Tenant.ID?
}
