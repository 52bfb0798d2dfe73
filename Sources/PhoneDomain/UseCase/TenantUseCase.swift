/// What programs can do in the name of tenants: keep them, their limits and safe numbers, and have numbers verified by them. The
/// rules of verification are those of the ``VerificationUseCase``.
///
/// Every method throws ``TenantFailure``: ``TenantFailure/notFound`` for what is not there or is another account's, and
/// ``TenantFailure/refused(_:)`` with ``PhoneFailure/unavailable(cause:)`` where a port fails.
public protocol TenantUseCase: Sendable {
    /// Every set of texts that there is (``MessageCatalog/templates``).
    var templates: [MessageTemplateListing] { get }

    /// Makes a tenant.
    ///
    /// - Throws: also ``TenantFailure/wording(_:)`` if no message can be made in its name.
    func makeTenant(
        of account: TenantAccount.ID,
        _ describe: @Sendable (inout Tenant) -> Void,
        name: TenantName
    ) async throws(TenantFailure) -> Tenant

    /// The tenant of this name.
    func tenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure) -> Tenant

    /// The tenants of an account, newest first.
    func tenants(of account: TenantAccount.ID, offset: Int, limit: Int) async throws(TenantFailure) -> [Tenant]

    /// Changes a tenant's name, codes, options or template.
    ///
    /// - Throws: also ``TenantFailure/wording(_:)`` if no message could be made in its name then.
    func update(
        _ id: Tenant.ID,
        of account: TenantAccount.ID,
        _ change: @escaping @Sendable (inout Tenant) -> Void
    ) async throws(TenantFailure) -> Tenant

    /// Takes a tenant away.
    func deleteTenant(_ id: Tenant.ID, of account: TenantAccount.ID) async throws(TenantFailure)

    /// Gives a tenant something to count by; it counts nothing before it has a bucket.
    ///
    /// - Throws: also ``TenantFailure/uniqueNameTaken`` and ``TenantFailure/tooManyLimits``.
    func makeLimit(
        _ name: UniqueName,
        text: String,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit

    /// Changes what a limit is said to be for.
    func describe(_ id: TenantLimit.ID, as text: String, in tenant: Tenant) async throws(TenantFailure) -> TenantLimit

    /// Takes a limit away.
    func deleteLimit(_ id: TenantLimit.ID, in tenant: Tenant) async throws(TenantFailure)

    /// Sets how many there may be of a limit.
    ///
    /// - Throws: also ``TenantFailure/intervalTaken`` and ``TenantFailure/tooManyBuckets``.
    func makeBucket(
        _ limit: RateLimit,
        of id: TenantLimit.ID,
        in tenant: Tenant
    ) async throws(TenantFailure) -> TenantLimit.Bucket

    /// Changes how many there may be.
    ///
    /// - Parameter change: makes the new limit of the present one; nil if there is none.
    /// - Throws: also ``TenantFailure/intervalTaken``.
    func update(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant,
        _ change: @escaping @Sendable (RateLimit) -> RateLimit?
    ) async throws(TenantFailure) -> TenantLimit.Bucket

    /// Takes a bucket away.
    func delete(
        _ bucket: TenantLimit.Bucket.ID,
        of id: TenantLimit.ID,
        in tenant: Tenant
    ) async throws(TenantFailure)

    /// Has a code sent, or the same code once more if one is out.
    ///
    /// - Throws: also ``TenantFailure/limitUnknown(_:)``, ``TenantFailure/featureDisabled`` and ``TenantFailure/wording(_:)``.
    func begin(_ request: TenantRequest, by tenant: Tenant) async throws(TenantFailure) -> SentVerification

    /// The verification with this ID, or of this number, while it is live (``Verification/isLive(at:)``).
    ///
    /// - Throws: also ``PhoneFailure/rateLimited(policies:retryAt:)``: a verification may be looked at 60 times a minute, 180
    ///   an hour and 250 a day (https://www.twilio.com/docs/verify/api/rate-limits-and-timeouts).
    func verification(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification

    /// Checks a code.
    ///
    /// - Returns: the verification as this check left it: approved, or with a wrong code counted.
    func check(
        _ codeText: String,
        _ which: TenantVerification,
        of tenant: Tenant,
        from address: ClientAddress?
    ) async throws(TenantFailure) -> Verification

    /// Ends a pending verification as the tenant says.
    func approve(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification

    /// Calls a verification off.
    func cancel(_ which: TenantVerification, of tenant: Tenant) async throws(TenantFailure) -> SentVerification

    /// What was sent, newest first.
    func attempts(_ query: AttemptQuery, limit: Int) async throws(TenantFailure) -> [DeliveryAttempt]

    /// How much was sent, and how much of it led to an approval.
    func summary(of query: AttemptQuery) async throws(TenantFailure) -> AttemptSummary

    /// Puts a number on the safe list of an account.
    ///
    /// - Throws: also ``TenantFailure/numberListed``, and ``PhoneFailure/invalidPhoneNumber(_:)``.
    func makeSafe(_ phoneText: String, for account: TenantAccount.ID) async throws(TenantFailure) -> SafeNumber

    /// What the safe list of an account has of a number.
    func safeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws(TenantFailure) -> SafeNumber

    /// Takes a number off the safe list of an account.
    func removeSafeNumber(_ phoneText: String, of account: TenantAccount.ID) async throws(TenantFailure)
}
