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

    /// By what stores keep it: an account has a number once.
    public var key: String { Self.key(e164, of: account) }

    /// What a number on an account's list is kept by.
    public static func key(_ e164: String, of account: TenantAccount.ID) -> String {
        "\(account) \(e164)"
    }
}
