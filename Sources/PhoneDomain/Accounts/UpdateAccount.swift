/// Changes what programs keep with an account, at the wish of one of its sessions.
public struct UpdateAccount: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The session and its account, or nil if one of them is gone.
        public var signedIn: SignedIn?

        /// The state before the command.
        public init(signedIn: SignedIn?) {
            self.signedIn = signedIn
        }
    }

    /// The session that asks.
    public let sessionID: Session.ID
    /// What to make of the metadata; it must do nothing else, since a store may call it again after a conflict.
    public let change: @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    /// The moment.
    public let now: Timestamp

    /// A change of these parts.
    public init(
        sessionID: Session.ID,
        now: Timestamp,
        change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) {
        self.sessionID = sessionID
        self.change = change
        self.now = now
    }

    /// Changes the account, or says why not.
    public func apply(to state: inout State) -> Result<Account, PhoneFailure> {
        guard let signedIn = state.signedIn, signedIn.session.id == sessionID, signedIn.holds(at: now) else {
            return .failure(.notSignedIn)
        }
        var account = signedIn.account
        do throws(PhoneFailure) {
            account.metadata = try change(account.metadata)
        } catch {
            return .failure(error)
        }
        state.signedIn = SignedIn(session: signedIn.session, account: account)
        return .success(account)
    }
}
