/// A number that the tenants of an account send to whatever its country, and whatever the guard thinks of its traffic
/// (https://www.twilio.com/docs/verify/api/safe-list). What an operator has blocked stays blocked.
public struct SafeNumber: Identified, Hashable, Sendable {
    public static let identifierPrefix = "saf"

    /// Its name.
    public let id: ID
    /// Whose it is.
    public let account: TenantAccount.ID
    /// The number, in E.164 with its `+`.
    public let e164: String
    /// When it was put on the list.
    public let createdAt: Timestamp

    /// A number as a store kept it.
    public init(id: ID, account: TenantAccount.ID, e164: String, createdAt: Timestamp) {
        self.id = id
        self.account = account
        self.e164 = e164
        self.createdAt = createdAt
    }
}
