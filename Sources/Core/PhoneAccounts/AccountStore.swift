public import PhoneDomain
public import PhoneNumbers
public import PhoneSignup

// These ports keep the same promises as those of `PhoneDomain` (`Ports/Store.swift`).

/// The durable state of accounts, of their sessions and of their changes of number. (Accounts are created by
/// ``VerificationStore/signUp(_:)``.) A command that is refused throws ``PhoneFailure``.
public protocol AccountStore: Sendable {
    func refresh(_ command: RefreshSession) async throws -> RefreshSession.Answer
    /// The session and its account, if both exist and the session was not ended together with all others. Reads what
    /// any instance committed before the call.
    func signedIn(_ id: Session.ID) async throws -> SignedIn?
    func account(of number: PhoneNumber) async throws -> Account?
    /// The account's live sessions, the newest first and then by ID.
    func sessions(of id: Account.ID, at now: Timestamp, limit: Int) async throws -> [Session]
    /// Takes as long however many sessions the account has. Returns what ``EndSessions/apply(to:)`` does.
    func end(_ command: EndSessions) async throws -> Bool
    func update(_ command: UpdateAccount) async throws -> Account
    func requestDeletion(_ command: RequestDeletion) async throws -> Account
    /// Saves an audit entry of what changes nothing else of an account, within the limits of the client that asks.
    func record(_ entry: AuditEntry, within limits: TakeLimits) async throws
    func changeNumber(_ command: ChangeNumber) async throws -> Account
    func undo(_ command: UndoNumberChange) async throws -> Account
    func numberChange(undoDigest: [UInt8]) async throws -> NumberChange?
    /// The accounts that are due for deletion, the earliest first.
    func dueAccounts(at now: Timestamp, limit: Int) async throws -> [Account.ID]
    func delete(_ command: DeleteAccount) async throws -> Bool
    /// All data of the owner of this account, as of one moment, if it exists. `digests` makes the digests by which the
    /// audit log knows a number.
    func personalData(
        of id: Account.ID,
        digests: @escaping @Sendable (PhoneNumber) throws -> [NumberDigest]
    ) async throws -> PersonalData?
    /// Deletes sessions that expired before `moment` or were ended together with all others of their account, changes
    /// of number that could be undone until before it, and codes of clients that expired unused before it or are no
    /// longer of interest then (``AuthorizationCode/memory``).
    func purgeSessions(before moment: Timestamp, limit: Int) async throws -> Int
}

/// The clients of OpenID Connect and their codes; their sessions are those of accounts.
public protocol OpenIDStore: Sendable {
    func insert(_ client: OAuthClient, audit entry: AuditEntry) async throws
    /// The client, revoked or not. Reads what any instance committed before the call.
    func client(_ id: OAuthClient.ID) async throws -> OAuthClient?
    /// Every client, including revoked ones, in order of creation and then of ID.
    func clients() async throws -> [OAuthClient]
    /// Returns the client as it is now, or nil if there is none. What the change says of itself decides whether it is
    /// on the audit log.
    func changeClient(
        _ id: OAuthClient.ID,
        audit entry: AuditEntry,
        _ change: @escaping @Sendable (inout OAuthClient) -> Bool
    ) async throws -> OAuthClient?
    /// Throws ``PhoneFailure`` beyond the limits.
    func insert(_ code: AuthorizationCode, within limits: TakeLimits) async throws
    func exchange(_ command: ExchangeCode) async throws -> ExchangeCode.Answer
    /// Throws ``PhoneFailure`` beyond the limits.
    func insert(_ device: DeviceAuthorization, within limits: TakeLimits) async throws
    /// Reads what any instance committed before the call.
    func device(_ key: String) async throws -> DeviceAuthorization?
    func decide(_ command: DecideDevice) async throws -> Bool
    func ask(_ command: AskForDevice) async throws -> AskForDevice.Answer
}

public protocol APIKeyStore: Sendable {
    func insert(_ key: APIKey, audit entry: AuditEntry) async throws
    /// The key, revoked or not. Reads what any instance committed before the call.
    func apiKey(_ id: APIKey.ID) async throws -> APIKey?
    /// Every key, including revoked ones, in order of creation and then of ID.
    func apiKeys() async throws -> [APIKey]
    /// Returns the key as it is now, or nil if there is none; one that was revoked before stays as it was.
    func revoke(_ id: APIKey.ID, at now: Timestamp, audit entry: AuditEntry) async throws -> APIKey?
    func recordUse(of id: APIKey.ID, at now: Timestamp) async throws
}

public protocol SigningKeyStore: Sendable {
    /// Every key, including those that are gone and not yet deleted.
    func signingKeys() async throws -> SigningKeys
    /// Makes a key if there is none (``EnsureSigningKey/apply(to:)``). However many do so at once, there is one.
    /// Returns the keys as they are now.
    func ensure(_ command: EnsureSigningKey) async throws -> SigningKeys
    /// Replaces the signing key (``RotateSigningKey/apply(to:)``). Returns the keys as they are now.
    func rotate(_ command: RotateSigningKey, audit entry: AuditEntry) async throws -> SigningKeys
}
