/// Uses a refresh token: the next one replaces it, unless it has itself just replaced another.
///
/// One atomic operation of the store, so that of a hundred at once with one token one refreshes, and the others get the
/// same next token.
public struct RefreshSession: Sendable {
    public struct State: Sendable {
        /// The session, if it exists. If the command sets it to nil it must be deleted.
        public var session: Session?
        public var account: Account?
        public var audit: AuditEntry?
        public init(session: Session?, account: Account?) { (self.session, self.account) = (session, account) }
    }

    public enum Outcome: Hashable, Sendable {
        /// This token is now the valid one.
        case refreshed(SignedIn, RefreshToken)
        /// The token was used before: the session is ended.
        case reused
        /// There is no such token, or its session has expired.
        case refused
    }

    public let token: RefreshToken
    /// Who uses it: a session's tokens are valid for its own client only.
    var clientID: OAuthClient.ID?
    let tokens: RefreshTokens
    let policy: SessionPolicy
    /// On behalf of the token's session.
    let auditor: Auditor
    public let now: Timestamp

    /// The state must be saved in any case.
    public func apply(to state: inout State) throws -> Outcome {
        guard var session = state.session, session.id == token.sessionID, var account = state.account,
            account.id == session.accountID, session.grant?.clientID == clientID, !session.hasEnded(at: now),
            !account.isDue(at: now)
        else { return .refused }
        let digest = try tokens.digest(of: token)
        if try tokens.matches(token, digest: session.tokenDigest) {
            if session.isInGrace(at: now, policy: policy) {
                return .refreshed(SignedIn(session: session, account: account), token)
            }
            guard let next = try tokens.next(after: token).first else { return .refused }
            session.refresh(with: try tokens.digest(of: next), at: now, policy: policy)
            account.recordActivity(at: now)
            state.session = session
            state.account = account
            return .refreshed(SignedIn(session: session, account: account), next)
        }
        if session.isInGrace(digest, at: now, policy: policy) {
            // Under whichever key it was made: keys may have been rotated since the first time.
            let next = try tokens.next(after: token).first { try tokens.matches($0, digest: session.tokenDigest) }
            return next.map { .refreshed(SignedIn(session: session, account: account), $0) } ?? .refused
        }
        guard try tokens.isGenuine(token) else { return .refused }
        state.session = nil
        state.audit = try auditor.entry(.reuse, account.phoneNumber, nil, at: now)
        return .reused
    }
}

public struct EndSessions: Sendable {
    public enum Selection: Hashable, Sendable {
        /// Only if it is the account's.
        case one(Session.ID)
        /// Including the one that asks.
        case all
    }

    public struct State: Sendable {
        public let account: Account?
        /// Including expired ones.
        public let sessions: [Session]
        public var ended: [Session.ID] = []
        public var audit: AuditEntry?
        public init(account: Account?, sessions: [Session]) { (self.account, self.sessions) = (account, sessions) }
    }

    public let accountID: Account.ID
    let selection: Selection
    /// On behalf of the session that asks.
    let auditor: Auditor
    let now: Timestamp

    public init(accountID: Account.ID, selection: Selection, auditor: Auditor, now: Timestamp) {
        (self.accountID, self.selection, self.auditor, self.now) = (accountID, selection, auditor, now)
    }

    /// Returns how many had not expired.
    public func apply(to state: inout State) throws -> Int {
        let chosen = state.sessions.filter { session in
            switch selection {
            case .one(let id): session.accountID == accountID && session.id == id
            case .all: session.accountID == accountID
            }
        }
        state.ended = chosen.map(\.id)
        let count = chosen.filter { !$0.hasEnded(at: now) }.count
        if count > 0 { state.audit = try auditor.entry(.signOut, state.account?.phoneNumber, nil, at: now) }
        return count
    }
}
