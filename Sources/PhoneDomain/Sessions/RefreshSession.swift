/// Uses a refresh token: the next one takes its place.
///
/// One atomic operation of the store, so that of a hundred at once with one token one refreshes, and the others are told
/// the same next token.
public struct RefreshSession: Sendable {
    /// What the command reads and writes.
    public struct State: Sendable {
        /// The session, or nil if there is none of that name. One that the command leaves nil must be deleted.
        public var session: Session?
        /// The session's account, or nil if it is gone.
        public var account: Account?
        /// The line for the audit trail, set by the command.
        public var audit: AuditEntry?

        /// The state before the command.
        public init(session: Session?, account: Account?) {
            self.session = session
            self.account = account
        }
    }

    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// This token is the one that is good now.
        case refreshed(SignedIn, RefreshToken)
        /// The token was used before: the session is ended.
        case reused
        /// There is no such token, or its session is over.
        case refused
    }

    /// The token.
    public let token: RefreshToken
    /// Makes and compares tokens.
    public let tokens: RefreshTokens
    /// How long sessions live.
    public let policy: SessionPolicy
    /// Makes the digests by which the audit trail knows numbers.
    public let digester: any NumberDigester
    /// From where it came.
    public let address: ClientAddress?
    /// The moment.
    public let now: Timestamp

    /// A use of this token.
    public init(
        token: RefreshToken,
        tokens: RefreshTokens,
        policy: SessionPolicy,
        digester: any NumberDigester,
        address: ClientAddress?,
        now: Timestamp
    ) {
        self.token = token
        self.tokens = tokens
        self.policy = policy
        self.digester = digester
        self.address = address
        self.now = now
    }

    /// Refreshes, ends, or refuses. What it leaves in the state must be kept in either case.
    ///
    /// - Throws: what ``RefreshTokens`` and ``NumberDigester/digest(of:)`` throw; nothing must be kept then.
    public func apply(to state: inout State) throws -> Outcome {
        guard var session = state.session, session.id == token.sessionID, var account = state.account,
            account.id == session.accountID, !session.isOver(at: now), !account.isDue(at: now)
        else { return .refused }
        let digest = try tokens.digest(of: token)
        if try tokens.matches(token, digest: session.tokenDigest) {
            guard let next = try tokens.next(after: token).first else { return .refused }
            session.refresh(with: try tokens.digest(of: next), at: now, policy: policy)
            account.recordActivity(at: now)
            state.session = session
            state.account = account
            return .refreshed(SignedIn(session: session, account: account), next)
        }
        if session.isInGrace(digest, at: now, policy: policy) {
            // Under whatever key it was made: the ring may have been rotated between the first time and this.
            let next = try tokens.next(after: token).first { try tokens.matches($0, digest: session.tokenDigest) }
            return next.map { .refreshed(SignedIn(session: session, account: account), $0) } ?? .refused
        }
        guard try tokens.isGenuine(token) else { return .refused }
        let auditor = Auditor(digester: digester, owner: .session(session.id), address: address)
        state.session = nil
        state.audit = try auditor.entry(.reuse, account.phoneNumber, nil, at: now)
        return .reused
    }
}
