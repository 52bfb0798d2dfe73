public import PhoneDomain
public import PhoneSignup

/// Sign-in for other programs (OpenID Connect). Each client has sessions of its own beside the browser's, whose tokens
/// are for ``userInfo(by:)`` alone.
extension AccountUseCase {
    public var clients: OAuthClients {
        OAuthClients(store: store, tokens: vault, identifiers: identifiers, clock: clock)
    }

    /// How long a browser stays signed in to the pages for clients.
    public var browserTime: Duration { sessionPolicy.browserTime }

    /// A code for what the client has asked for, for the account that is signed in in the browser. Throws
    /// ``PhoneFailure/rateLimited(policies:retryAt:)`` if the session or the address has had too many.
    public func authorize(
        _ request: AuthorizationRequest,
        for signedIn: SignedIn,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> SecretToken {
        try await available {
            let id: AuthorizationCode.ID = try identifiers.makeIdentifier()
            let secret = try vault.makeToken(prefix: AuthorizationCode.prefix + id.hexadecimal + "_")
            let code = AuthorizationCode(
                id: id,
                digest: try vault.digest(of: secret),
                grant: ClientGrant(clientID: request.client.id, scopes: request.scopes),
                redirectURI: request.redirectURI,
                challenge: request.challenge,
                nonce: request.nonce,
                sessionID: signedIn.session.id,
                expiresAt: clock.now() + AuthorizationCode.lifetime
            )
            try await store.insert(code, within: limits(of: signedIn.session.id, address))
            return secret
        }
    }

    /// The first tokens of a code. Throws ``PhoneFailure/notSignedIn`` for any other, and for one that was used.
    public func exchange(
        _ code: SecretToken,
        of client: OAuthClient,
        redirectURI: RedirectURI,
        verifier: SecretToken?,
        userAgent: String?,
        from address: ClientAddress?
    ) async throws(PhoneFailure) -> (tokens: IssuedTokens, idToken: SecretToken) {
        guard let id = AuthorizationCode.id(in: code) else { throw .notSignedIn }
        return try await available {
            let answer = try await store.exchange(
                ExchangeCode(
                    id: id,
                    secret: code,
                    clientID: client.id,
                    redirectURI: redirectURI,
                    verifier: verifier,
                    userAgent: SessionOpening(tokenDigests: [], userAgent: userAgent, policy: sessionPolicy).userAgent,
                    vault: vault,
                    tokens: tokens,
                    policy: sessionPolicy,
                    auditor: auditor(Session.ID(bits: id.bits.high, id.bits.low), address),
                    now: clock.now()
                )
            )
            return try await issue(answer.token, to: answer.signedIn, nonce: answer.nonce, of: client)
        }
    }

    /// The first tokens of a client's session, with the ID token.
    func issue(
        _ token: RefreshToken,
        to signedIn: SignedIn,
        nonce: String?,
        of client: OAuthClient
    ) async throws -> (tokens: IssuedTokens, idToken: SecretToken) {
        let tokens = try await issue(token, to: signedIn)
        let idToken = IDToken(
            accountID: signedIn.account.id,
            sessionID: signedIn.session.id,
            clientID: client.id,
            nonce: nonce,
            preferredUsername: signedIn.session.grant?.preferredUsername(of: signedIn.account),
            authenticatedAt: tokens.claims.authenticatedAt,
            issuedAt: tokens.claims.issuedAt,
            expiresAt: tokens.claims.expiresAt,
            proof: signedIn.session.proof
        )
        return (tokens, SecretToken(try await authority.sign(idToken, by: client.profile.idTokenAlgorithm)))
    }

    /// An access token for the client itself, with those of the scopes that it may ask for, or all of them where
    /// `asked` is nil; nil if it may ask for none of them.
    public func clientToken(
        for client: OAuthClient,
        _ asked: Set<ClientScope>?
    ) async throws(PhoneFailure) -> (text: String, expiresIn: Duration, scopes: Set<ClientScope>)? {
        let scopes = client.profile.scopes.intersection(asked ?? client.profile.scopes)
        guard !scopes.isEmpty else { return nil }
        return try await available {
            let issuedAt = Timestamp(seconds: clock.now().milliseconds / 1000)
            let token = ClientToken(
                id: try identifiers.makeIdentifier(),
                clientID: client.id,
                scopes: scopes,
                issuedAt: issuedAt,
                expiresAt: issuedAt + sessionPolicy.accessTokenTTL
            )
            return (try await authority.sign(token), sessionPolicy.accessTokenTTL, scopes)
        }
    }

    /// The client that got this access token on its own behalf, and what the token allows of what the client still may.
    /// Throws ``PhoneFailure/notSignedIn`` for any other token.
    public func client(by token: SecretToken) async throws(PhoneFailure) -> (OAuthClient, Set<ClientScope>) {
        try await available {
            guard let found = try await authority.clientToken(in: token.text, at: clock.now()),
                let client = try await clients.client(found.clientID)
            else { throw PhoneFailure.notSignedIn }
            return (client, found.scopes.intersection(client.profile.scopes))
        }
    }

    /// The account that a client's access token is for, and what the client may know of it. Throws
    /// ``PhoneFailure/notSignedIn`` for any other token.
    public func userInfo(by accessToken: SecretToken) async throws(PhoneFailure) -> (Account, ClientGrant) {
        let signedIn = try await signedIn(by: accessToken, isForClient: true)
        guard let grant = signedIn.session.grant,
            try await available({ try await clients.client(grant.clientID) }) != nil
        else { throw .notSignedIn }
        return (signedIn.account, grant)
    }

    /// Ends the client's session that an ID token of ours was made in. Of one that has ended, whose token may be shown
    /// again and again, it is only read that it has.
    public func endSession(of token: IDToken, from address: ClientAddress?) async throws(PhoneFailure) {
        try await available {
            guard let found = try await store.signedIn(token.sessionID), found.holds(at: clock.now()) else { return }
            _ = try await store.end(
                EndSessions(
                    accountID: token.accountID,
                    selection: .one(token.sessionID),
                    auditor: auditor(token.sessionID, address),
                    now: clock.now()
                )
            )
        }
    }

    /// Whom and whose an ID token of ours is, expired or not.
    public func idToken(in text: String) async throws(PhoneFailure) -> IDToken? {
        try await available { try await authority.idToken(in: text) }
    }
}

extension ClientGrant {
    /// `preferred_username` for a client with the scope `profile` (OpenID Connect Core 1.0 section 5.1): the ID of the
    /// account, which the client has as `sub` anyway. It is not the number, nor a part of it: a client that may not
    /// know the number would learn it, and one that makes it a user name would give the user to the number's next owner.
    public func preferredUsername(of account: Account) -> String? {
        scopes.contains(.profile) ? account.id.description : nil
    }
}

/// The claims of an ID token (OpenID Connect Core 1.0 section 2): who has signed in, and when, for one client.
public struct IDToken: Hashable, Sendable {
    /// `sub`.
    public let accountID: Account.ID
    /// The client's (`sid`).
    public let sessionID: Session.ID
    /// `aud`.
    public let clientID: OAuthClient.ID
    public let nonce: String?
    /// As ``ClientGrant/preferredUsername(of:)``.
    public let preferredUsername: String?
    /// `auth_time`, as the others in whole seconds.
    public let authenticatedAt: Timestamp
    public let issuedAt: Timestamp
    public let expiresAt: Timestamp
    /// `amr`.
    public let proof: SessionProof

    public init(
        accountID: Account.ID,
        sessionID: Session.ID,
        clientID: OAuthClient.ID,
        nonce: String?,
        preferredUsername: String?,
        authenticatedAt: Timestamp,
        issuedAt: Timestamp,
        expiresAt: Timestamp,
        proof: SessionProof = .code
    ) {
        (self.accountID, self.sessionID, self.clientID, self.nonce) = (accountID, sessionID, clientID, nonce)
        self.preferredUsername = preferredUsername
        (self.authenticatedAt, self.issuedAt, self.expiresAt) = (authenticatedAt, issuedAt, expiresAt)
        self.proof = proof
    }

    /// Whether the client got it by this session of the browser, whose proof of the number its own session has.
    public func isOf(_ signedIn: SignedIn) -> Bool {
        accountID == signedIn.account.id
            && authenticatedAt.milliseconds / 1000 == signedIn.session.createdAt.milliseconds / 1000
    }
}
