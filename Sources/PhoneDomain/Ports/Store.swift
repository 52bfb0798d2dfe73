// Every method of these ports throws if the store cannot be reached or cannot write; nothing of the operation is saved
// then. Each operation is atomic: it loads a command's state, applies the command to it and saves the result, and no
// other operation, of this process or another, comes between. What an operation has returned survives a crash.
//
// A list has at most `limit` elements. What is purged or closed is at most `limit` rows of each kind, so that others
// get their turn in between; the method returns how many, 0 when nothing is left to do.
//
// `audit` is the entry of an operator's act. It is saved in the same transaction, if the act changes anything.

/// The durable state of verifications, of their numbers and of the accounts they create. A command that is refused
/// throws ``PhoneFailure`` once what it has counted is saved.
public protocol VerificationStore: Sendable {
    func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer
    func check(_ command: CheckVerification) async throws -> Verification
    func check(_ command: CheckLiveVerification) async throws -> Verification
    /// Approves the verification that a message means. Throws ``PhoneFailure/verificationNotFound`` if there is none.
    func receive(_ command: ReceiveMessage) async throws -> Verification
    func cancel(_ command: CancelVerification) async throws -> Verification
    func signUp(_ command: SignUp) async throws -> SignedUp
    func verification(_ id: Verification.ID) async throws -> Verification?
    /// The owner's verification of a number that is live at this moment (``Verification/isLive(at:)``): the one that a
    /// request for a code would concern.
    func liveVerification(of number: PhoneNumber, owner: Owner, at now: Timestamp) async throws -> Verification?
    func account(_ id: Account.ID) async throws -> Account?
}

public protocol SignupStore: Sendable {
    /// Begins a signup and counts it against its limits. Throws ``PhoneFailure`` if they refuse it.
    func begin(_ command: BeginSignup) async throws
    func signup(_ id: Signup.ID) async throws -> Signup?
    /// `change` must have no side effects, since a store may call it again after a conflict. Returns the signup after
    /// the change, or nil if there is none. What changes anything is counted; throws ``PhoneFailure`` beyond the
    /// limits.
    func update(
        _ id: Signup.ID,
        within limits: TakeLimits,
        _ change: @escaping @Sendable (inout Signup) -> Void
    ) async throws -> Signup?
}

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
}

public protocol OutboxStore: Sendable {
    /// Claims up to `limit` messages that are due, oldest first, until `end`.
    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim]
    /// Records the results of attempts, all or none. Returns whether each still counted (``SettleMessage/attempt``).
    func settle(_ commands: [SettleMessage]) async throws -> [Bool]
    /// When the next queued message is due; nil if none is queued.
    func nextAttempt() async throws -> Timestamp?
    func backlog() async throws -> OutboxBacklog
    /// The messages of this status, or all, newest first (by ``OutboxMessage/createdAt``, then by ID), each with its
    /// verification; none if the limit is negative.
    func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim]
    /// The matching messages, newest first, each with its verification.
    func messages(_ query: MessageQuery, limit: Int) async throws -> [OutboxClaim]
    /// ``MessageQuery/after`` is ignored.
    func count(_ query: MessageQuery) async throws -> MessageCount
    func retry(_ command: RetryMessage) async throws -> Result<OutboxMessage, RetryMessage.Refusal>
    /// Returns whether there was such a message and the receipt changed anything (``RecordReceipt``).
    func record(_ command: RecordReceipt) async throws -> Bool
    /// What was spent and what the guard saved, of messages queued and requests made since a moment. Reads them all.
    func spending(since start: Timestamp) async throws -> (spent: [Spending], saved: [Suppression])
    /// Up to `limit` messages whose code is to be sent by the next channel now
    /// (``OutboxMessage/takeFallback(of:at:)``). Each is returned once.
    func takeFallbacks(limit: Int, at now: Timestamp) async throws -> [OutboxClaim]
    /// The messages that a gateway accepted and has not reported on, by time of creation and then by ID.
    func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage]
}

/// The undelivered events. They are written in the transaction of what they are about, if somebody has subscribed to
/// them (``EventSubscription``). Kinds that a newer program wrote to the same store are ignored: that program delivers
/// them.
public protocol EventStore: Sendable {
    /// Claims up to `limit` events that are due, oldest first, until `end`. Those whose subject no longer exists, or
    /// that no longer hold (``Event/isConfirmed(by:)``), are deleted instead.
    func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim]
    /// Records the result of an attempt. Returns whether the attempt still counted (``SettleEvent/attempt``).
    func settle(_ command: SettleEvent) async throws -> Bool
    /// When the next queued event is due; nil if none is queued.
    func nextEvent() async throws -> Timestamp?
    /// The events of this status, or all, newest first (by ``Event/occurredAt``, then by ID); none if the limit is
    /// negative.
    func events(status: Event.Status?, limit: Int) async throws -> [Event]
    /// Deletes events that occurred before `moment`, delivered or not, of each status the oldest first.
    func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int
    func retry(_ command: RetryEvent, audit entry: AuditEntry) async throws -> Result<Event, RetryEvent.Refusal>
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

public protocol IdempotencyStore: Sendable {
    func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome
    func end(_ command: EndRequest) async throws
}

public protocol LimitStore: Sendable {
    /// Takes one of each of these limits. Throws ``PhoneFailure`` if one refuses it, and takes none.
    func take(_ command: TakeLimits) async throws
    /// The meters that are not full at this moment, those that fill last first.
    func metersInUse(at now: Timestamp, limit: Int) async throws -> [MeterInUse]
    /// The numbers with at least this many messages or wrong codes in a row, in order of their digits. Whether that
    /// closes them is decided by ``NumberActivity/closure(at:policy:)``: what is stored may have expired.
    func activeNumbers(sends: Int, failures: Int, limit: Int) async throws -> [ActiveNumber]
    /// Gives a key its whole quota again. Returns whether anything was known of it.
    func clear(_ key: LimitKey, audit entry: AuditEntry) async throws -> Bool
    /// Deletes a number's activity. Returns whether anything was known of it.
    func clearActivity(of number: PhoneNumber, audit entry: AuditEntry) async throws -> Bool
}

public protocol GuardStore: Sendable {
    /// The traffic in the order of ``KeyedTraffic/ranked(_:at:)``: of the keys that are blocked, and then of those with
    /// most in ``Traffic/kept``.
    func traffic(at now: Timestamp, limit: Int) async throws -> [KeyedTraffic]
    /// The traffic of the last day, by keys from the last one down: countries come before their prefixes.
    func traffic(before key: TrafficKey?, at now: Timestamp, limit: Int) async throws -> [KeyedTraffic]
    /// ``Traffic/none`` if nothing is known of the key.
    func traffic(of key: TrafficKey) async throws -> Traffic
    /// Every rule, in order of the prefixes, including expired ones.
    func guardRules() async throws -> [GuardRule]
    /// Saves a rule, replacing that of the same prefix.
    func set(_ rule: GuardRule, audit entry: AuditEntry) async throws
    /// Removes the rule of exactly this prefix, and returns it.
    func removeGuardRule(prefix: String, audit entry: AuditEntry) async throws -> GuardRule?
    /// Unblocks a prefix (`+` and one or more digits): ends the blocks on prefixes that begin like this; of a network,
    /// its block or challenge. What led to them is dropped (``Traffic/unblock()``). Returns whose it was, in order.
    func unblock(_ key: TrafficKey, audit entry: AuditEntry) async throws -> [TrafficKey]
    /// The last audit entries in which the guard decided about a prefix, the newest first. `prefix` is its digests
    /// under every key (``NumberDigester/digests(of:)``).
    func verdicts(prefix: [NumberDigest], limit: Int) async throws -> [AuditEntry]
}

/// The audit log. Other operations add to it, each in its own transaction; entries change only by
/// ``AuditEntry/unlinked``.
public protocol AuditStore: Sendable {
    /// The matching entries, newest first: by time, and of one moment the one that was written last.
    func entries(_ query: AuditQuery) async throws -> AuditPage
    /// Deletes entries from before `moment`, the oldest first.
    func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int
}

public protocol ErasureStore: Sendable {
    /// Deletes and unlinks what the command covers. If it was anything, the audit log has the command's entry too.
    func erase(_ command: EraseNumber) async throws -> Erasure
    /// Removes deleted data from the store's files too, where it may linger though no query finds it. It may take a
    /// while, in which others can read and not write. Throws if another transaction is in the way, which may be gone a
    /// moment later. What was erased stays erased.
    func removeTraces() async throws
}

public protocol StoreMaintenance: Sendable {
    /// Checks that the store can be read and could be written.
    func ping() async throws
    /// Deletes what ended before `moment` and is no longer needed: verifications, their messages and signups, and the
    /// activity of numbers that have been silent since. Verifications and messages are those of the `limit`
    /// verifications that ended first, so that it costs the same however many there are; a verification is deleted once
    /// all its messages are.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int
    /// Closes pending verifications that expired (``Verification/close(at:)``).
    func close(at now: Timestamp, limit: Int) async throws -> Int
    /// Deletes what has expired by this moment and says itself when: signups, which nobody can read any more and anyone
    /// can create, stored responses, rules of the guard, signing keys that are gone, and what docks keep for a time;
    /// and instances that were killed, by the database's clock.
    func purgeExpired(at now: Timestamp, limit: Int) async throws -> Int
    /// Deletes what limits and guard no longer need at this moment, since one request may leave several rows: meters
    /// that are full again, and traffic that has been silent for ``Traffic/longestMemory`` and is not blocked.
    func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int
    /// Closes the connections to the database after the operations that wait. Later operations fail.
    func close()
}

/// Measures what a store does. It is called on the store's own threads, concurrently, and must not block them.
public protocol StoreObserver: Sendable {
    func observe(_ batch: StoreBatch)
    /// An audit entry was saved: called after the commit, once, however often the store had to retry. Where the outcome
    /// of a commit is unknown, it is not called.
    func observe(_ entry: AuditEntry)
    func observe(_ row: UnreadableRow)
}

/// A row with invalid content, which an operation on many has skipped: it must not block the others.
public struct UnreadableRow: Hashable, Sendable {
    public let table: String
    /// The content of its first column: an ID, or the number of an audit entry.
    public let key: String
    public init(table: String, key: String) { (self.table, self.key) = (table, key) }
}

public struct StoreBatch: Hashable, Sendable {
    public enum Kind: String, Sendable, CaseIterable {
        case read, write
    }

    public let kind: Kind
    public let operations: Int
    /// The time from the first statement until the last answer, without the wait for the connection.
    public let duration: Duration
    /// Whether it was lost, with all that was in it. A single operation that was refused, or failed and was undone, is
    /// no failure of the batch.
    public let isFailed: Bool

    public init(kind: Kind, operations: Int, duration: Duration, isFailed: Bool) {
        (self.kind, self.operations, self.duration, self.isFailed) = (kind, operations, duration, isFailed)
    }
}
