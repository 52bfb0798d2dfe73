public import PhoneDomain
public import PhoneSignup

/// Opens a session of an account for somebody who has shown a key of it in place of a code. Whether the key is the
/// account's, and its proof valid, whoever runs the command has found out in the same transaction.
public struct OpenSession: Command {
    public struct State: Sendable {
        public var account: Account?
        public var session: Session?
        public var audit: AuditEntry?
        public init(account: Account?) { self.account = account }
    }

    let id: Session.ID
    public let accountID: Account.ID
    let opening: SessionOpening
    let auditor: Auditor
    public let now: Timestamp

    /// The number is the way back in, so an account without one has no other way in either. As with a code, a deletion
    /// that was requested is canceled.
    public func apply(to state: inout State) throws -> Result<SignedIn, PhoneFailure> {
        guard var account = state.account, account.phoneNumber != nil, !account.isDue(at: now) else {
            return .failure(.notSignedIn)
        }
        guard account.suspendedAt == nil else { return .failure(.accountSuspended) }
        guard let session = opening.session(id, by: .key, of: account, at: now) else { return .failure(.notSignedIn) }
        account.recordSignIn(by: .key, at: now)
        (state.account, state.session) = (account, session)
        state.audit = try auditor.entry(.signInByKey, account.phoneNumber, nil, at: now)
        return .success(SignedIn(session: session, account: account))
    }
}

extension SignedIn {
    /// The session that a client gets because the person is signed in in this one. It rests on the same proof, and lasts
    /// no longer after it.
    ///
    /// - Parameter id: the one that the client's code was made with, so that a code opens one session.
    func clientSession(
        _ id: Session.ID,
        of grant: ClientGrant,
        userAgent: String?,
        tokenDigest: [UInt8],
        policy: SessionPolicy,
        at now: Timestamp
    ) -> Session {
        let isOffline = grant.scopes.contains(.offlineAccess)
        return Session(
            id: id,
            accountID: account.id,
            userAgent: userAgent,
            createdAt: session.createdAt,
            expiresAt: session.createdAt + policy.lifetime,
            tokenDigest: tokenDigest,
            refreshedAt: now,
            idleUntil: now + (isOffline ? policy.idleTime : policy.accessTokenTTL),
            grant: grant,
            generation: account.sessionGeneration,
            proof: session.proof
        )
    }
}
