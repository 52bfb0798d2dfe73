/// What a signup came to.
public struct SignedUp: Hashable, Sendable {
    /// The account of the proven number.
    public let account: Account
    /// Whether this signup made it, rather than find it.
    public let isNew: Bool
    /// The session that it opened, if it was to open one and the session is still there.
    public let session: Session?

    /// The account that a verification was used for.
    public init(account: Account, verificationID: Verification.ID, session: Session? = nil) {
        self.account = account
        self.session = session
        isNew = account.createdBy == verificationID
    }
}
