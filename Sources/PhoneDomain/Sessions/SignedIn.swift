/// Who is signed in, and by which session.
public struct SignedIn: Hashable, Sendable {
    /// The session.
    public let session: Session
    /// Its account.
    public let account: Account

    /// This account by this session of it.
    public init(session: Session, account: Account) {
        self.session = session
        self.account = account
    }

    /// Whether it still is so.
    public func holds(at now: Timestamp) -> Bool {
        session.accountID == account.id && !session.isOver(at: now) && !account.isDue(at: now)
    }
}
