/// The durable state of tenants. Every operation is atomic, and what it has returned survives a crash. Every method throws if
/// the store cannot be reached or cannot write; nothing of the operation is kept then.
public protocol TenantStore: Sendable {
    /// Keeps a new tenant.
    func insert(_ tenant: Tenant) async throws

    /// The tenant of this name, or nil.
    func tenant(_ id: Tenant.ID) async throws -> Tenant?

    /// The tenants of an account, newest first (then by name, backwards), without the first `offset`.
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws -> [Tenant]

    /// Changes a tenant; two changes at once come one after the other.
    func update(_ command: UpdateTenant) async throws -> Result<Tenant, TenantFailure>

    /// Takes a tenant away. What was verified in its name stays until its time is over, and nobody can ask for it.
    ///
    /// - Returns: whether there was one, of this account.
    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws -> Bool

    /// Puts a number on an account's safe list.
    ///
    /// - Returns: false if it is there already; then nothing changes.
    func insert(_ number: SafeNumber) async throws -> Bool

    /// What an account's safe list has of a number, or nil.
    func safeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> SafeNumber?

    /// Takes a number off an account's safe list.
    ///
    /// - Returns: whether it was there.
    func removeSafeNumber(_ e164: String, of account: TenantAccount.ID) async throws -> Bool

    /// The owner's verification of a number that is live at this moment (``Verification/isLive(at:)``), or nil: the one that a
    /// request for a code would concern.
    func liveVerification(of number: PhoneNumber, owner: Owner, at now: Timestamp) async throws -> Verification?

    /// The messages that a query covers, newest first, at most `limit` of them.
    func attempts(_ query: AttemptQuery, limit: Int) async throws -> [DeliveryAttempt]

    /// How many a query covers, and how many of them led to an approval. ``AttemptQuery/after`` is of no meaning here.
    func summary(of query: AttemptQuery) async throws -> AttemptSummary

    /// Takes one of each of these limits, or says why not and takes none.
    func take(_ command: TakeLimits) async throws -> PhoneFailure?
}
