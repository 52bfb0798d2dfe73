public import PhoneDomain
public import PhoneSignup

/// What a client gets by way of the browser once a person has signed in, and exchanges for tokens, once. Its text is
/// `ac_`, the 32 hexadecimal digits of its ID, an underscore and 256 random bits; only the digest is stored.
public struct AuthorizationCode: Identified, Hashable, Sendable {
    public static let identifierPrefix = "azc"
    /// The client exchanges it at once (RFC 6749 section 4.1.2 has ten minutes at most).
    public static let lifetime: Duration = .seconds(60)
    /// How long a used code is remembered. One that was not used is deleted when it has expired.
    public static let memory: Duration = .seconds(86_400)

    public let id: ID
    public let digest: [UInt8]
    public let grant: ClientGrant
    /// The URL of the request, which must be given again (RFC 6749 section 4.1.3).
    public let redirectURI: RedirectURI
    /// The SHA-256 of the verifier that the client keeps (RFC 7636 section 4.2); nil for a client that keeps none.
    public let challenge: [UInt8]?
    /// Nil also once it was used.
    public private(set) var nonce: String?
    /// The browser's, in which the person has signed in.
    public let sessionID: Session.ID
    public let expiresAt: Timestamp
    public private(set) var usedAt: Timestamp?

    public init(
        id: ID,
        digest: [UInt8],
        grant: ClientGrant,
        redirectURI: RedirectURI,
        challenge: [UInt8]?,
        nonce: String?,
        sessionID: Session.ID,
        expiresAt: Timestamp,
        usedAt: Timestamp? = nil
    ) {
        (self.id, self.digest, self.grant, self.redirectURI) = (id, digest, grant, redirectURI)
        (self.challenge, self.nonce, self.sessionID) = (challenge, nonce, sessionID)
        (self.expiresAt, self.usedAt) = (expiresAt, usedAt)
    }

    /// The session that it opens for the client: a code used again shows which one to end.
    public var openedSessionID: Session.ID { Session.ID(bits: id.bits.high, id.bits.low) }

    /// What is kept from here on is to detect another use.
    fileprivate mutating func use(at now: Timestamp) { (usedAt, nonce) = (now, nil) }

    static let prefix = "ac_"

    /// Nil unless the text is well-formed.
    public static func id(in code: SecretToken) -> ID? {
        code.text.utf8.count <= 200 ? code.identifier(behind: prefix) : nil
    }
}

/// What a client asks for when it sends a browser to be signed in, once it is known to be valid.
public struct AuthorizationRequest: Hashable, Sendable {
    public let client: OAuthClient
    public let scopes: Set<OpenIDScope>
    /// One that ``OAuthClient/mayRedirect(to:)`` allows.
    public let redirectURI: RedirectURI
    public let challenge: [UInt8]?
    public let nonce: String?

    public init(
        client: OAuthClient,
        scopes: Set<OpenIDScope>,
        redirectURI: RedirectURI,
        challenge: [UInt8]?,
        nonce: String?
    ) {
        (self.client, self.scopes, self.redirectURI) = (client, scopes, redirectURI)
        (self.challenge, self.nonce) = (challenge, nonce)
    }
}

/// Exchanges a code for a session of the client's own.
///
/// One atomic operation of the store: of many at once with one code a single one succeeds. The others show that
/// somebody has a copy of it, so the session ends (RFC 6749 section 4.1.2, RFC 9700 section 4.5).
public struct ExchangeCode: Command {
    public struct State: Sendable {
        /// If the command changes it, it must be saved.
        public var code: AuthorizationCode?
        /// The browser's session and its account.
        public let signedIn: SignedIn?
        /// The session that the code has opened. If the command sets it to nil it must be deleted.
        public var opened: Session?
        /// The account of whichever of the two sessions exists.
        public var account: Account?
        public var audit: AuditEntry?

        public init(code: AuthorizationCode?, signedIn: SignedIn?, opened: Session?, account: Account?) {
            (self.code, self.signedIn, self.opened, self.account) = (code, signedIn, opened, account)
        }
    }

    public struct Answer: Hashable, Sendable {
        public let signedIn: SignedIn
        public let token: RefreshToken
        public let nonce: String?
    }

    public let id: AuthorizationCode.ID
    let secret: SecretToken
    let clientID: OAuthClient.ID
    let redirectURI: RedirectURI
    let verifier: SecretToken?
    let userAgent: String?
    let vault: any TokenVault
    let tokens: RefreshTokens
    let policy: SessionPolicy
    /// Signs the entries of the session that the code opens.
    let auditor: Auditor
    public let now: Timestamp

    /// Opens the session, unless there is no such code, it is another client's, it has expired or was used, or the
    /// redirect URI or the verifier is not the one of the request. One that was used ends the session that it had
    /// opened.
    public func apply(to state: inout State) throws -> Result<Answer, PhoneFailure> {
        guard var code = state.code, try vault.matches(secret, digest: code.digest), code.grant.clientID == clientID
        else { return .failure(.notSignedIn) }
        guard code.usedAt == nil else {
            if let opened = state.opened, let account = state.account, opened.belongs(to: account) {
                state.opened = nil
                state.audit = try auditor.entry(.reuse, state.account?.phoneNumber, nil, at: now)
            }
            return .failure(.notSignedIn)
        }
        guard now < code.expiresAt, redirectURI == code.redirectURI,
            try isVerified(code),
            let signedIn = state.signedIn, signedIn.session.id == code.sessionID, signedIn.holds(at: now),
            // The code opens the session, so it gives the same first token that anyone can derive who has both.
            let token = try tokens.first(of: code.openedSessionID, from: secret).first
        else { return .failure(.notSignedIn) }
        let nonce = code.nonce
        code.use(at: now)
        let session = signedIn.clientSession(
            code.openedSessionID,
            of: code.grant,
            userAgent: userAgent,
            tokenDigest: try tokens.digest(of: token),
            policy: policy,
            at: now
        )
        state.account?.recordActivity(in: session, at: now)
        (state.code, state.opened) = (code, session)
        let opened = SignedIn(session: session, account: state.account ?? signedIn.account)
        return .success(Answer(signedIn: opened, token: token, nonce: nonce))
    }

    /// A verifier without a challenge is refused as well: somebody has taken the challenge out of the request (RFC 9700
    /// section 4.8.2).
    private func isVerified(_ code: AuthorizationCode) throws -> Bool {
        guard let verifier, let challenge = code.challenge else { return verifier == nil && code.challenge == nil }
        return try vault.matches(verifier, digest: challenge)
    }
}
