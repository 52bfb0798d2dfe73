public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

/// What the owner of an account can do with it. Every method may throw ``PhoneFailure/unavailable(cause:)``, and those
/// for a session ``PhoneFailure/notSignedIn``.
public struct AccountUseCase: Sendable {
    private let accountPolicy: AccountPolicy
    public var consent: ConsentPolicy? { accountPolicy.consent }
    let limits: LimitPolicy
    let sessionPolicy: SessionPolicy
    let store: any AccountStore & OpenIDStore & LimitStore
    let authority: any AccessTokenAuthority
    let vault: any TokenVault
    let tokens: RefreshTokens
    let deriver: any SecretDeriver
    private let undoTokens: UndoTokens
    let digester: any NumberDigester
    let identifiers: any IdentifierSource
    let clock: any WallClock
    private let noticeLanguage: LanguageTag
    private let messageQueued: @Sendable () -> Void

    /// `limits` says how much a session may have stored (``LimitPolicy/changesBySession``); `noticeLanguage` is that of
    /// messages to the old number of an account; `messageQueued` is called after a message was queued.
    public init(
        accountPolicy: AccountPolicy = .standard,
        sessionPolicy: SessionPolicy = .standard,
        limits: LimitPolicy = .standard,
        store: any AccountStore & OpenIDStore & LimitStore,
        authority: any AccessTokenAuthority,
        deriver: any SecretDeriver,
        vault: any TokenVault,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        noticeLanguage: LanguageTag = .korean,
        messageQueued: @escaping @Sendable () -> Void = {}
    ) {
        (self.accountPolicy, self.sessionPolicy) = (accountPolicy, sessionPolicy)
        (self.limits, self.store) = (limits, store)
        (self.authority, self.vault) = (authority, vault)
        (tokens, self.deriver) = (RefreshTokens(deriver: deriver, vault: vault), deriver)
        undoTokens = UndoTokens(deriver: deriver, vault: vault)
        (self.digester, self.identifiers, self.clock) = (digester, identifiers, clock)
        (self.noticeLanguage, self.messageQueued) = (noticeLanguage, messageQueued)
    }

    /// The ``CheckOptions/opening`` of a signup that uses this verification. `secret` is the signup's own token:
    /// showing it again gives the same tokens.
    public func opening(
        of verification: Verification.ID,
        by secret: SecretToken,
        userAgent: String?
    ) throws(PhoneFailure) -> SessionOpening {
        try available { try opening(Session.id(openedBy: verification), by: secret, userAgent) }
    }

    private func opening(_ id: Session.ID, by secret: SecretToken, _ userAgent: String?) throws -> SessionOpening {
        let digests = try tokens.first(of: id, from: secret).map(tokens.digest)
        return SessionOpening(tokenDigests: digests, userAgent: userAgent, policy: sessionPolicy)
    }

    /// The first tokens of the session that a signup has opened; nil if it has opened none, or its session was
    /// refreshed since.
    public func tokens(of signedUp: SignedUp, by secret: SecretToken) async throws(PhoneFailure) -> IssuedTokens? {
        guard let session = signedUp.session else { return nil }
        return try await tokens(of: SignedIn(session: session, account: signedUp.account), by: secret)
    }

    /// The first tokens of a session that this secret has opened; nil if it was refreshed since.
    public func tokens(of opened: SignedIn, by secret: SecretToken) async throws(PhoneFailure) -> IssuedTokens? {
        try await available {
            let first = try tokens.first(of: opened.session.id, from: secret)
            guard let token = try first.first(where: { try tokens.matches($0, digest: opened.session.tokenDigest) })
            else { return nil }
            return try await issue(token, to: opened)
        }
    }

    /// What an address may still fail at signing in by a key. Take it before a key is looked at, and give it back once
    /// that has signed in.
    package func keySignIns(from address: ClientAddress?) -> TakeLimits {
        TakeLimits(rules: limits.keySignIns(from: address), now: clock.now())
    }

    /// What opens a session of an account for somebody who has shown a key of it (``OpenSession``), and whose tokens
    /// ``tokens(of:by:)`` has by the same secret.
    public func opening(
        of account: Account.ID,
        by secret: SecretToken,
        userAgent: String?,
        from address: ClientAddress?
    ) throws(PhoneFailure) -> OpenSession {
        try available {
            let id: Session.ID = try identifiers.makeIdentifier()
            return OpenSession(
                id: id,
                accountID: account,
                opening: try opening(id, by: secret, userAgent),
                auditor: auditor(id, address),
                now: clock.now()
            )
        }
    }

    /// The next tokens. Throws ``PhoneFailure/notSignedIn`` for anything but a valid refresh token of this client, or
    /// of none.
    public func refresh(
        _ token: SecretToken,
        of client: OAuthClient.ID? = nil,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> IssuedTokens {
        guard let token = RefreshToken(token) else { throw .notSignedIn }
        return try await available {
            guard try await mayBeGenuine(token) else { throw PhoneFailure.notSignedIn }
            let answer = try await store.refresh(
                RefreshSession(
                    token: token,
                    clientID: client,
                    tokens: tokens,
                    policy: sessionPolicy,
                    auditor: auditor(token.sessionID, address),
                    now: clock.now(),
                    limitRules: limits.changes(by: .session(token.sessionID), from: nil)
                )
            )
            return try await issue(answer.token, to: answer.signedIn)
        }
    }

    /// An export reads the audit log from the account's beginning on, however long that is.
    private static func exports(of account: Account.ID) -> [LimitRule] {
        [RateLimit].hourly(10).map { LimitRule("account-exports", $0, of: account.description) }
    }

    /// What the session may still have stored.
    func limits(of session: Session.ID, _ address: ClientAddress?) -> TakeLimits {
        limits.changes(by: .session(session), from: address, at: clock.now())
    }

    /// Call before a response is stored for a session, to be given again: its commands count all else.
    public func countChange(of session: Session.ID, from address: ClientAddress?) async throws(PhoneFailure) {
        try await available { try await store.take(limits(of: session, address)) }
    }

    func auditor(_ session: Session.ID, _ address: ClientAddress?) -> Auditor {
        Auditor(digester: digester, owner: .session(session), address: address)
    }

    /// Whether the token may be one of ours: a forged one must cost the store no more than a read. One that was made
    /// under a key which is gone may still be valid.
    private func mayBeGenuine(_ token: RefreshToken) async throws -> Bool {
        if try tokens.isGenuine(token) { return true }
        guard let session = try await store.signedIn(token.sessionID)?.session else { return false }
        return try isCurrent(token, of: session)
    }

    private func isCurrent(_ token: RefreshToken, of session: Session) throws -> Bool {
        try tokens.matches(token, digest: session.tokenDigest)
            || session.isInGrace(tokens.digest(of: token), at: clock.now(), policy: sessionPolicy)
    }

    /// Who sent this access token, if it is valid and its session still exists: the person, or a client in a session of
    /// its own, which may do nothing that is the person's.
    public func signedIn(
        by accessToken: SecretToken,
        isForClient: Bool = false
    ) async throws(PhoneFailure) -> SignedIn {
        let now = clock.now()
        return try await available {
            guard let token = try await authority.token(in: accessToken.text, at: now),
                (token.grant != nil) == isForClient,
                let found = try await store.signedIn(token.sessionID), found.account.id == token.accountID,
                found.session.grant == token.grant, found.holds(at: now)
            else { throw PhoneFailure.notSignedIn }
            return found
        }
    }

    /// Who sent this refresh token, if it is the valid one or was until a moment ago, and of this client or of none. It
    /// is not used up.
    public func signedIn(
        byRefreshToken token: SecretToken,
        of client: OAuthClient.ID? = nil
    ) async throws(PhoneFailure) -> SignedIn {
        guard let token = RefreshToken(token) else { throw .notSignedIn }
        let now = clock.now()
        return try await available {
            guard let found = try await store.signedIn(token.sessionID), try isCurrent(token, of: found.session),
                found.session.grant?.clientID == client, found.holds(at: now)
            else { throw PhoneFailure.notSignedIn }
            return found
        }
    }

    /// Who sent an access or a refresh token of this client, or of none: a client whose access token has expired need
    /// not refresh it to sign out.
    public func signedIn(
        byEither token: SecretToken,
        of client: OAuthClient.ID? = nil
    ) async throws(PhoneFailure) -> SignedIn {
        if RefreshToken(token) != nil { return try await signedIn(byRefreshToken: token, of: client) }
        let found = try await signedIn(by: token, isForClient: client != nil)
        guard found.session.grant?.clientID == client else { throw .notSignedIn }
        return found
    }

    /// The refresh token with an access token. Its times are in whole seconds, as tokens write them.
    func issue(_ token: RefreshToken, to signedIn: SignedIn) async throws -> IssuedTokens {
        let issuedAt = Timestamp(seconds: clock.now().milliseconds / 1000)
        let accessToken = AccessToken(
            id: try identifiers.makeIdentifier(),
            accountID: signedIn.account.id,
            sessionID: signedIn.session.id,
            isPhoneNumberVerified: signedIn.account.phoneNumber != nil,
            authenticatedAt: Timestamp(seconds: signedIn.session.createdAt.milliseconds / 1000),
            issuedAt: issuedAt,
            expiresAt: issuedAt + sessionPolicy.accessTokenTTL,
            grant: signedIn.session.grant
        )
        return IssuedTokens(
            signedIn: signedIn,
            accessToken: SecretToken(try await authority.sign(accessToken)),
            claims: accessToken,
            expiresIn: sessionPolicy.accessTokenTTL,
            refreshToken: token
        )
    }

    /// The newest first; ``SessionPolicy/most`` at most.
    public func sessions(of signedIn: SignedIn) async throws(PhoneFailure) -> [Session] {
        try await available {
            try await store.sessions(of: signedIn.account.id, at: clock.now(), limit: SessionPolicy.most)
        }
    }

    /// Returns what ``EndSessions/apply(to:)`` does.
    public func end(
        _ selection: EndSessions.Selection,
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Bool {
        try await available {
            try await store.end(
                EndSessions(
                    accountID: signedIn.account.id,
                    selection: selection,
                    auditor: auditor(signedIn.session.id, address),
                    now: clock.now()
                )
            )
        }
    }

    /// Changes the account's metadata. `change` must have no side effects, since it may be called again; what it
    /// throws, such as ``PhoneFailure/invalidMetadata(_:)``, is thrown.
    public func update(
        _ signedIn: SignedIn,
        from address: ClientAddress?,
        _ change: @escaping @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    ) async throws(PhoneFailure) -> Account {
        try await available {
            try await store.update(
                UpdateAccount(
                    sessionID: signedIn.session.id,
                    now: clock.now(),
                    change: change,
                    limits: limits(of: signedIn.session.id, address)
                )
            )
        }
    }

    /// Schedules the deletion after the grace period, and ends all of the account's sessions.
    public func requestDeletion(
        of signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Account {
        try await available {
            try await store.requestDeletion(
                RequestDeletion(
                    sessionID: signedIn.session.id,
                    accountPolicy: accountPolicy,
                    auditor: auditor(signedIn.session.id, address),
                    now: clock.now()
                )
            )
        }
    }

    /// All that is held about the account. Throws ``PhoneFailure/rateLimited(policies:retryAt:)`` beyond ten an hour.
    public func personalData(of signedIn: SignedIn) async throws(PhoneFailure) -> PersonalData {
        let data = try await available {
            try await store.take(TakeLimits(rules: Self.exports(of: signedIn.account.id), now: clock.now()))
            return try await store.personalData(of: signedIn.account.id) { [digester] in
                try digester.digests(of: $0.e164)
            }
        }
        guard let data else { throw .notSignedIn }
        return data
    }

    /// The account that has this number, if it was inactive for so long that another person may prove the number now.
    public func dormantAccount(of number: PhoneNumber) async throws(PhoneFailure) -> Account? {
        let now = clock.now()
        guard let holder = try await available({ try await store.account(of: number) }), !holder.isDue(at: now),
            holder.isDormant(at: now, policy: accountPolicy)
        else { return nil }
        return holder
    }

    /// Saves an audit entry of what was decided about the dormant account of a number: before the decision, so that
    /// none is missing.
    public func recordDecision(
        _ decision: DormantDecision,
        on verification: Verification,
        by owner: Owner,
        from address: ClientAddress?
    ) async throws(PhoneFailure) {
        try await available {
            let action: AuditEntry.Action = decision == .signIn ? .decideSignIn : .decideNewAccount
            let auditor = Auditor(digester: digester, owner: owner, address: address)
            let now = clock.now()
            let entry = try auditor.entry(action, verification.phoneNumber, verification.id, at: now)
            try await store.record(entry, within: limits.changes(by: owner, from: address, at: now))
        }
    }

    /// Call before sending a code to the new number. Throws ``PhoneFailure/proofTooOld`` if this session may not change
    /// it.
    public func requireFreshProof(_ signedIn: SignedIn) throws(PhoneFailure) {
        if accountPolicy.isProofTooOld(of: signedIn.session, at: clock.now()) { throw .proofTooOld }
    }

    /// Gives an account the number that this check proves, in the transaction that compares the code. The owner in the
    /// check is a session of the account (``Owner/session(_:)``); the check comes from
    /// ``VerificationUseCase/check(_:for:context:in:)``.
    public func changeNumber(by check: CheckVerification) async throws(PhoneFailure) -> Account {
        let account = try await available {
            let changeID: NumberChange.ID = try identifiers.makeIdentifier()
            return try await store.changeNumber(
                ChangeNumber(
                    check: check,
                    changeID: changeID,
                    undoDigest: try undoTokens.make(for: changeID).digest,
                    messageID: try identifiers.makeIdentifier(),
                    language: noticeLanguage,
                    accountPolicy: accountPolicy
                )
            )
        }
        messageQueued()
        return account
    }

    /// The change that this secret can undo now. Throws ``PhoneFailure/numberChangeNotFound``.
    public func numberChange(undoneBy token: SecretToken) async throws(PhoneFailure) -> NumberChange {
        try await available {
            guard let digest = try undoTokens.digest(of: token),
                let change = try await store.numberChange(undoDigest: digest), change.isUndoable(at: clock.now())
            else { throw PhoneFailure.numberChangeNotFound }
            return change
        }
    }

    /// Throws ``PhoneFailure/numberChangeNotFound`` and ``PhoneFailure/numberTaken``.
    public func undoNumberChange(
        by token: SecretToken,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> Account {
        try await available {
            guard let digest = try undoTokens.digest(of: token) else { throw PhoneFailure.numberChangeNotFound }
            return try await store.undo(
                UndoNumberChange(
                    digest: digest,
                    accountPolicy: accountPolicy,
                    digester: digester,
                    address: address,
                    now: clock.now()
                )
            )
        }
    }
}

public struct UpdateAccount: Command {
    public let sessionID: Session.ID
    public let now: Timestamp
    /// Must have no side effects, since a store may call it again after a conflict.
    let change: @Sendable (AccountMetadata) throws(PhoneFailure) -> AccountMetadata
    public let limits: TakeLimits

    /// `signedIn` is nil if the session or its account does not exist.
    public func apply(to signedIn: inout SignedIn?) -> Result<Account, PhoneFailure> {
        guard let found = signedIn, found.session.id == sessionID, found.holds(at: now)
        else { return .failure(.notSignedIn) }
        return Result { () throws(PhoneFailure) in
            var account = found.account
            account.metadata = try change(account.metadata)
            signedIn = SignedIn(session: found.session, account: account)
            return account
        }
    }
}
