// Every method of these ports throws if the store cannot be reached or cannot write; nothing of the operation is saved
// then. Each operation is atomic: it loads a command's state, applies the command to it and saves the result, and no
// other operation, of this process or another, comes between. What an operation has returned survives a crash.
//
// A list has at most `limit` elements. What is purged or closed is at most `limit` rows of each kind, so that others
// get their turn in between; the method returns how many, 0 when nothing is left to do.
//
// `audit` is the entry of an operator's act. It is saved in the same transaction, if the act changes anything.

public import PhoneNumbers
public import PhoneSignup

/// An act on what is stored, as a value. A store loads its ``State``, applies the command to it and keeps what it left,
/// in one transaction: no other command comes between.
public protocol Command: Sendable {
    /// What it reads and changes.
    associatedtype State
    associatedtype Answer: Sendable
    /// Why it may be refused; `Never` where it cannot be.
    associatedtype Refusal: Error = PhoneFailure

    /// Changes the state, which is kept even if the command is refused: what it has counted stays counted. If this
    /// throws, nothing is kept. It has no side effects, since a store may call it again after a conflict.
    func apply(to state: inout State) throws -> Result<Answer, Refusal>
}

/// Called once with the result of an operation, on any thread, which it must not block. Where the caller is no task, that
/// takes no task either.
public typealias Callback<Value> = @Sendable (Result<Value, any Error>) -> Void

/// The durable state of verifications, of their numbers and of the accounts they create. A command that is refused
/// throws ``PhoneFailure`` once what it has counted is saved.
public protocol VerificationStore: Sendable {
    func begin(_ command: BeginVerification, then answer: @escaping Callback<BeginVerification.Answer>)
    func check(_ command: CheckVerification, then answer: @escaping Callback<Verification>)
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

extension VerificationStore {
    public func begin(_ command: BeginVerification) async throws -> BeginVerification.Answer {
        try await withUnsafeThrowingContinuation { continuation in begin(command) { continuation.resume(with: $0) } }
    }

    public func check(_ command: CheckVerification) async throws -> Verification {
        try await withUnsafeThrowingContinuation { continuation in check(command) { continuation.resume(with: $0) } }
    }
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

public protocol OutboxStore: Sendable {
    /// Claims up to `limit` messages that are due, oldest first, until `end`.
    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim]
    /// Records the results of attempts, all or none. Returns whether each still counted (``SettleMessage/attempt``).
    func settle(_ commands: [SettleMessage]) async throws -> [Bool]
    func take(_ turn: TakeTurn) async throws -> TakeTurn.Turn
    /// When the next queued message is due; nil if none is queued.
    func nextAttempt() async throws -> Timestamp?
    func backlog() async throws -> OutboxBacklog
    /// Returns whether there was such a message and the receipt changed anything (``RecordReceipt``).
    func record(_ command: RecordReceipt) async throws -> Bool
    /// Up to `limit` messages whose code is to be sent by the next channel now
    /// (``OutboxMessage/takeFallback(of:at:)``). Each is returned once.
    func takeFallbacks(limit: Int, at now: Timestamp) async throws -> [OutboxClaim]
    /// The messages that a gateway accepted and has not reported on, by time of creation and then by ID.
    func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage]
    /// The newest codes that a gateway accepted, or may have, of those that were queued from one moment on and before
    /// another.
    func routeSamples(from first: Timestamp, to end: Timestamp, limit: Int) async throws -> [RouteSample]
    /// The gateways that accepted a verification's messages, or may have, those of the newest message first.
    func gatewaysUsed(by id: Verification.ID) async throws -> [String]
}

/// The undelivered events. They are written in the transaction of what they are about, if somebody has subscribed to
/// them (``EventSubscription``). Kinds that a newer program wrote to the same store are ignored: that program delivers
/// them.
public protocol EventStore: Sendable {
    /// Claims up to `limit` events that are due, oldest first, until `end`. Those whose subject no longer exists, or
    /// that no longer hold (``Event/isConfirmed(by:)``), are deleted instead, and feedback on what no message carried.
    func claimEvents(
        for reader: EventReader,
        limit: Int,
        at now: Timestamp,
        until end: Timestamp
    ) async throws -> [EventClaim]
    /// Records the result of an attempt, and what a gateway answered. Returns whether the attempt still counted
    /// (``SettleEvent/attempt``).
    func settle(_ command: SettleEvent, _ feedback: RecordFeedback?) async throws -> Bool
    /// When the next queued event is due; nil if none is queued.
    func nextEvent(for reader: EventReader) async throws -> Timestamp?
    /// Deletes events that occurred before `moment`, delivered or not, of each status the oldest first.
    func purgeEvents(before moment: Timestamp, limit: Int) async throws -> Int
}

extension EventStore {
    public func claimEvents(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [EventClaim] {
        try await claimEvents(for: .webhooks, limit: limit, at: now, until: end)
    }

    public func nextEvent() async throws -> Timestamp? { try await nextEvent(for: .webhooks) }

    public func settle(_ command: SettleEvent) async throws -> Bool { try await settle(command, nil) }
}

public protocol IdempotencyStore: Sendable {
    func begin(_ command: BeginRequest) async throws -> BeginRequest.Outcome
    func end(_ command: EndRequest) async throws
}

public protocol LimitStore: Sendable {
    /// Takes one of each of these limits. Throws ``PhoneFailure`` if one refuses it, and takes none.
    func take(_ command: TakeLimits) async throws
}

public protocol GuardStore: Sendable {
    /// ``Traffic/none`` if nothing is known of the key.
    func traffic(of key: TrafficKey) async throws -> Traffic
    /// Every rule, in order of the prefixes, including expired ones.
    func guardRules() async throws -> [GuardRule]
    /// The rules of exactly these prefixes, including expired ones: found by their keys, however many others there are.
    func guardRules(of prefixes: Set<String>) async throws -> [GuardRule]
}

public protocol StoreMaintenance: Sendable {
    /// Checks that the store can be read and could be written.
    func ping() async throws
    /// Deletes what ended before `moment` and is no longer needed: verifications, their messages and signups, and the
    /// activity of numbers that have been silent since. Verifications and messages are those of the `limit`
    /// verifications that ended first, so that it costs the same however many there are; a verification is deleted once
    /// all its messages are.
    func purge(before moment: Timestamp, limit: Int) async throws -> Int
    /// Makes due what is queued and is to wait longer than ever, since a clock that ran ahead has left it so
    /// (``OutboxMessage/latestAttempt(at:)``, ``Event/latestAttempt(at:)``).
    func hasten(at now: Timestamp, limit: Int) async throws -> Int
    /// Closes pending verifications that expired (``Verification/close(at:)``).
    func close(at now: Timestamp, limit: Int) async throws -> Int
    /// Deletes what has expired by this moment and says itself when: signups, which nobody can read any more and anyone
    /// can create, stored responses, rules of the guard, signing keys that are gone, and what docks keep for a time;
    /// and instances that were killed, by the database's clock.
    func purgeExpired(at now: Timestamp, limit: Int) async throws -> Int
    /// Deletes what limits and guard no longer need at this moment, since one request may leave several rows: meters
    /// that are full again, and traffic that has been silent for ``Traffic/longestMemory`` and is neither blocked nor
    /// remembered (``Traffic/rememberedUntil``).
    func purgeTraffic(at now: Timestamp, limit: Int) async throws -> Int
    /// Deletes entries of the audit log from before `moment`, the oldest first.
    func purgeAudit(before moment: Timestamp, limit: Int) async throws -> Int
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
