/// The kinds of record that a store holds, in the order in which they are copied: what others refer to comes before them.
/// The raw values are what operators read.
public enum RecordKind: String, Sendable, CaseIterable {
    /// ``Account``
    case account
    /// ``Session``, which belongs to an account.
    case session
    /// ``Verification``, which names the account that it was used for.
    case verification
    /// ``NumberChange``, which names an account and a verification.
    case numberChange = "number_change"
    /// ``OutboxMessage``, which belongs to a verification, and may tell of a change of number.
    case message
    /// ``Event``, which is about any of these.
    case event
    /// ``Signup``
    case signup
    /// ``IdempotentRequest``
    case idempotentRequest = "idempotent_request"
    /// ``NumberActivity``
    case activity
    /// ``RateMeter``
    case meter
    /// ``Traffic``
    case traffic
    /// ``GuardRule``
    case guardRule = "guard_rule"
    /// ``APIKey``
    case apiKey = "api_key"
    /// ``Tenant``
    case tenant
    /// ``SafeNumber``
    case safeNumber = "safe_number"
    /// ``SigningKey``
    case signingKey = "signing_key"
    /// ``AuditEntry``
    case auditEntry = "audit_entry"
}
