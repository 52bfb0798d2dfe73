/// What programs can do on behalf of tenants: manage them, their limits and safe numbers, and verify numbers by them.
/// The rules of verification are those of the ``VerificationUseCase``.
///
/// Every method throws ``TenantFailure``: ``TenantFailure/notFound`` for what does not exist or is another account's,
/// and ``TenantFailure/refused(_:)`` with ``PhoneFailure/unavailable(cause:)`` where a port fails.
public protocol TenantUseCase: Sendable {
    /// As ``MessageCatalog/templates``.
    var templates: [MessageTemplateListing] { get }
    /// Throws also ``TenantFailure/wording(_:)`` if no message can be made in its name.
    func makeTenant(
        of account: TenantAccount.ID,
        _ describe: @Sendable (inout Tenant) -> Void,
        name: TenantName
    ) async throws(TenantFailure) -> Tenant
    func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure) -> Tenant
    /// Newest first.
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws(TenantFailure) -> [Tenant]
    /// Changes a tenant's name, codes, options or template. Throws also ``TenantFailure/wording(_:)`` if no message
    /// could be made in its name then.
    func update(
        _ id: Tenant.ID,
        of account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> Void
    ) async throws(TenantFailure) -> Tenant
    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure)
    /// A limit counts nothing before it has a bucket. Throws also ``TenantFailure/uniqueNameTaken`` and
    /// ``TenantFailure/tooManyLimits``.
    func makeLimit(_ name: UniqueName, text: String, in tenant: Tenant) async throws(TenantFailure) -> TenantLimit
    func describe(_ id: TenantLimit.ID, as text: String, in tenant: Tenant) async throws(TenantFailure) -> TenantLimit
    func deleteLimit(_ id: TenantLimit.ID, in tenant: Tenant) async throws(TenantFailure)
    /// Throws also ``TenantFailure/intervalTaken`` and ``TenantFailure/tooManyBuckets``.
    func makeBucket(
        _ limit: RateLimit,
        of id: TenantLimit.ID,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit.Bucket
    /// `change` returns the new limit, or nil if it is invalid. Throws also ``TenantFailure/intervalTaken``.
    func update(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant,
        _ change: @escaping @Sendable (RateLimit) -> RateLimit?
    ) async throws(TenantFailure) -> TenantLimit.Bucket
    func delete(_ bucket: TenantLimit.Bucket.ID, of id: TenantLimit.ID, in tenant: Tenant) async throws(TenantFailure)
    /// Sends a code, or the same code once more if one is in flight. Throws also ``TenantFailure/limitUnknown(_:)``,
    /// ``TenantFailure/featureDisabled`` and ``TenantFailure/wording(_:)``.
    func begin(_ request: TenantRequest, by tenant: Tenant) async throws(TenantFailure) -> SentVerification
    /// The verification with this ID, or of this number, while it is live (``Verification/isLive(at:)``). Throws also
    /// ``PhoneFailure/rateLimited(policies:retryAt:)``: a verification may be read 60 times a minute, 180 an hour and
    /// 250 a day (https://www.twilio.com/docs/verify/api/rate-limits-and-timeouts).
    func verification(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification
    /// Returns the verification as this check left it: approved, or with a wrong code counted.
    func check(
        _ codeText: String,
        _ which: TenantVerification,
        of tenant: Tenant,
        from address: ClientAddress?
    ) async throws(TenantFailure) -> Verification
    /// Approves a pending verification whose code the tenant has compared itself.
    func approve(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification
    func cancel(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification
    /// Newest first.
    func attempts(_ query: AttemptQuery, limit: Int) async throws(TenantFailure) -> [DeliveryAttempt]
    /// How many messages match, and how many of them led to an approval.
    func summary(of query: AttemptQuery) async throws(TenantFailure) -> AttemptSummary
    /// Adds a number to the safe list of an account. Throws also ``TenantFailure/numberListed``, and
    /// ``PhoneFailure/invalidPhoneNumber(_:)``.
    func makeSafe(_ phoneText: String, for account: TenantAccount.ID) async throws(TenantFailure) -> SafeNumber
    func safeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws(TenantFailure) -> SafeNumber
    func removeSafeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws(TenantFailure)
}
