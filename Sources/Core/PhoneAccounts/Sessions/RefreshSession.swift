public import PhoneDomain
public import PhoneSignup

/// Uses a refresh token: the next one replaces it, unless it has itself just replaced another.
///
/// One atomic operation of the store, so that of a hundred at once with one token one refreshes, and the others get the
/// same next token.
public struct RefreshSession: Command {
    public struct State: Sendable {
        /// The session, if it exists. If the command sets it to nil it must be deleted.
        public var session: Session?
        public var account: Account?
        public var limits: LimitLedger
        public var audit: AuditEntry?

        public init(session: Session?, account: Account?, limits: LimitLedger) {
            (self.session, self.account, self.limits) = (session, account, limits)
        }
    }

    public struct Answer: Hashable, Sendable {
        public let signedIn: SignedIn
        /// The one that is valid now.
        public let token: RefreshToken
    }

    public let token: RefreshToken
    /// Who uses it: a session's tokens are valid for its own client only.
    var clientID: OAuthClient.ID?
    let tokens: RefreshTokens
    let policy: SessionPolicy
    /// Signs the entries of the token's session.
    let auditor: Auditor
    public let now: Timestamp
    /// Those of the session alone: the server of a client refreshes the sessions of all its people from one address.
    public var limitRules: [LimitRule] = []

    /// Refreshes, or says why not. A token that was used before ends its session; one that comes too often stays valid.
    public func apply(to state: inout State) throws -> Result<Answer, PhoneFailure> {
        guard var session = state.session, session.id == token.sessionID, var account = state.account,
            SignedIn(session: session, account: account).holds(at: now), session.grant?.clientID == clientID
        else { return .failure(.notSignedIn) }
        let digest = try tokens.digest(of: token)
        if try tokens.matches(token, digest: session.tokenDigest) {
            if session.isInGrace(at: now, policy: policy) {
                return .success(Answer(signedIn: SignedIn(session: session, account: account), token: token))
            }
            guard let next = try tokens.next(after: token).first else { return .failure(.notSignedIn) }
            // Here and not before: a token that was used twice ends its session, however often that is tried.
            if let refusal = state.limits.tryTake(at: now) { return .failure(refusal) }
            session.refresh(with: try tokens.digest(of: next), at: now, policy: policy)
            account.recordActivity(in: session, at: now)
            state.session = session
            state.account = account
            return .success(Answer(signedIn: SignedIn(session: session, account: account), token: next))
        }
        if session.isInGrace(digest, at: now, policy: policy) {
            // Under whichever key it was made: keys may have been rotated since the first time.
            let next = try tokens.next(after: token).first { try tokens.matches($0, digest: session.tokenDigest) }
            guard let next else { return .failure(.notSignedIn) }
            return .success(Answer(signedIn: SignedIn(session: session, account: account), token: next))
        }
        guard try tokens.isGenuine(token) else { return .failure(.notSignedIn) }
        state.session = nil
        state.audit = try auditor.entry(.reuse, account.phoneNumber, nil, at: now)
        return .failure(.notSignedIn)
    }
}

public struct EndSessions: Command {
    public enum Selection: Hashable, Sendable {
        /// It ends only if it is the account's.
        case one(Session.ID)
        /// Including the one that asks, and those that have expired already: all of a generation, so that of several
        /// requests at once one ends them, and none ends a session that was opened after it.
        case all(generation: Int)
    }

    public struct State: Sendable {
        public var account: Account?
        /// The one that is selected, if it exists. If the command sets it to nil it must be deleted.
        public var session: Session?
        public var audit: AuditEntry?
        public init(account: Account?, session: Session?) { (self.account, self.session) = (account, session) }
    }

    public let accountID: Account.ID
    private let selection: Selection
    /// Signs the entries of the session that asks.
    let auditor: Auditor
    public let now: Timestamp

    /// The session that is selected, if it is one.
    public var sessionID: Session.ID? { if case .one(let id) = selection { id } else { nil } }

    public init(accountID: Account.ID, selection: Selection, auditor: Auditor, now: Timestamp) {
        (self.accountID, self.selection, self.auditor, self.now) = (accountID, selection, auditor, now)
    }

    /// Answers whether it has ended any that was live; of all, whether nothing else has ended them before.
    public func apply(to state: inout State) throws -> Result<Bool, Never> {
        guard var account = state.account, account.id == accountID else { return .success(false) }
        switch selection {
        case .one(let id):
            guard let session = state.session, session.id == id, session.accountID == accountID
            else { return .success(false) }
            state.session = nil
            guard session.belongs(to: account), !session.hasEnded(at: now) else { return .success(false) }
        case .all(let generation):
            guard account.sessionGeneration == generation else { return .success(false) }
            account.endSessions()
            state.account = account
        }
        state.audit = try auditor.entry(.signOut, account.phoneNumber, nil, at: now)
        return .success(true)
    }
}

extension Session {
    /// Whether the previous token is still valid.
    func isInGrace(at now: Timestamp, policy: SessionPolicy) -> Bool {
        previousDigest != nil && now < refreshedAt + policy.refreshGrace
    }

    func isInGrace(_ digest: [UInt8], at now: Timestamp, policy: SessionPolicy) -> Bool {
        // A digest is no secret: it need not be compared in constant time.
        previousDigest == digest && isInGrace(at: now, policy: policy)
    }
}
