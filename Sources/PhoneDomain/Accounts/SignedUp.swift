/// What a signup came to.
public struct SignedUp: Hashable, Sendable {
    /// The account of the proven number.
    public let account: Account
    /// Whether this signup made it, rather than find it.
    public let isNew: Bool

    /// The account that a verification was used for.
    public init(account: Account, verificationID: Verification.ID) {
        self.account = account
        self.isNew = account.createdBy == verificationID
    }
}
