/// What an access token says: who is signed in, how, and for how long. Whoever has the service's public keys can tell
/// that it is so, without asking.
public struct AccessToken: Identified, Hashable, Sendable {
    public static let identifierPrefix = "tok"

    /// What every token is for (`scope`, RFC 9068 section 2.2.3): all that its holder may do with the own account.
    public static let scope = "account"

    /// Its name (`jti`), by which a receiver can tell that it comes a second time.
    public let id: ID
    /// Who is signed in (`sub`).
    public let accountID: Account.ID
    /// The session that it was made in (`sid`).
    public let sessionID: Session.ID
    /// Whether the account has a proven number (`phone_number_verified`). One whose number went to somebody else has none.
    public let isPhoneNumberVerified: Bool
    /// When the number was proven that opened the session (`auth_time`), in whole seconds.
    public let authenticatedAt: Timestamp
    /// When it was made (`iat`), in whole seconds.
    public let issuedAt: Timestamp
    /// From when on it is worth nothing (`exp`), in whole seconds.
    public let expiresAt: Timestamp

    /// A token of these parts.
    public init(
        id: ID,
        accountID: Account.ID,
        sessionID: Session.ID,
        isPhoneNumberVerified: Bool,
        authenticatedAt: Timestamp,
        issuedAt: Timestamp,
        expiresAt: Timestamp
    ) {
        self.id = id
        self.accountID = accountID
        self.sessionID = sessionID
        self.isPhoneNumberVerified = isPhoneNumberVerified
        self.authenticatedAt = authenticatedAt
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }
}
