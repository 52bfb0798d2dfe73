/// The use case of accounts over its ports.
public struct LiveAccountUseCase: AccountUseCase {
    let accountPolicy: AccountPolicy
    let sessionPolicy: SessionPolicy
    let store: any AccountStore
    let authority: any AccessTokenAuthority
    let tokens: RefreshTokens
    let undoTokens: UndoTokens
    let digester: any NumberDigester
    let identifiers: any IdentifierSource
    let clock: any WallClock
    let noticeLanguage: LanguageTag
    let messageQueued: @Sendable () -> Void

    /// The most sessions that are listed.
    static let mostSessions = 100

    /// A use case over these ports.
    ///
    /// - Parameters:
    ///   - accountPolicy: the rules of accounts.
    ///   - sessionPolicy: how long tokens and sessions live.
    ///   - store: where accounts and sessions are kept.
    ///   - authority: signs access tokens and reads them.
    ///   - deriver: makes refresh tokens and the secrets of links.
    ///   - vault: makes the digests that are kept of them.
    ///   - digester: makes the digests by which the audit trail knows numbers.
    ///   - identifiers: names what is made.
    ///   - clock: says what time it is.
    ///   - noticeLanguage: that of messages to the old number of an account.
    ///   - messageQueued: called after a message was queued.
    public init(
        accountPolicy: AccountPolicy = .standard,
        sessionPolicy: SessionPolicy = .standard,
        store: any AccountStore,
        authority: any AccessTokenAuthority,
        deriver: any SecretDeriver,
        vault: any TokenVault,
        digester: any NumberDigester,
        identifiers: any IdentifierSource,
        clock: any WallClock,
        noticeLanguage: LanguageTag = .korean,
        messageQueued: @escaping @Sendable () -> Void = {}
    ) {
        self.accountPolicy = accountPolicy
        self.sessionPolicy = sessionPolicy
        self.store = store
        self.authority = authority
        tokens = RefreshTokens(deriver: deriver, vault: vault)
        undoTokens = UndoTokens(deriver: deriver, vault: vault)
        self.digester = digester
        self.identifiers = identifiers
        self.clock = clock
        self.noticeLanguage = noticeLanguage
        self.messageQueued = messageQueued
    }

    func auditor(_ signedIn: SignedIn, _ address: ClientAddress?) -> Auditor {
        Auditor(digester: digester, owner: .session(signedIn.session.id), address: address)
    }
}
