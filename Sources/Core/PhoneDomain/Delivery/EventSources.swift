public import PhoneSignup

/// The events that changes publish: each initialiser compares the state before and after, and the store that saves the
/// change saves the event with it.
///
/// Test numbers publish events as others do, or a receiver could not be tested with them; the payload says so.
extension Event {
    /// `before` is nil for a new verification. Nil if the change is no event.
    public init?(_ verification: Verification, was before: Verification?, at now: Timestamp) {
        guard verification.recordedStatus != before?.recordedStatus, let kind = Kind(verification) else { return nil }
        // The time of the expiry, not of its detection.
        let moment = verification.recordedStatus == .expired ? min(verification.end, now) : now
        self.init(kind, of: .verification(verification.id), occurredAt: moment, at: now)
    }

    /// `before` is nil for a new verification. Nil unless the change approved what a code proves: a message from the
    /// person, or their SIM, shows nothing of one. No vendor carries the code of a test number.
    public init?(feedbackOn verification: Verification, was before: Verification?, at now: Timestamp) {
        guard verification.recordedStatus == .approved, before?.recordedStatus != .approved, !verification.isTest,
            verification.channel.carriesCode
        else { return nil }
        self.init(.messageFeedback, of: .verification(verification.id), occurredAt: now, at: now)
    }

    /// `before` is nil for a new message. Nil if the change is no event: a message that the guard suppresses publishes
    /// none, since it went to no gateway, and neither does a notice, which belongs to no verification in progress.
    public init?(_ message: OutboxMessage, was before: OutboxMessage?, at now: Timestamp) {
        guard message.status != before?.status, let kind = Kind(message) else { return nil }
        // A gateway's later receipt comes in a trace of its own, or in none.
        self = Event(kind, of: .message(message.id), occurredAt: now, at: now).belonging(to: message.traceParent)
    }

    public init(made account: Account, at now: Timestamp) {
        self.init(.accountCreated, of: .account(account.id), occurredAt: account.createdAt, at: now)
    }

    /// Nil unless the account got another number: losing one is no action of its owner.
    public init?(_ account: Account, was before: Account, at now: Timestamp) {
        guard account.phoneNumber != before.phoneNumber, account.phoneNumber != nil else { return nil }
        self.init(.numberChanged, of: .account(account.id), occurredAt: now, at: now)
    }

    /// An entry of the audit log by its key.
    public init(_ entry: AuditEntry, serial: Int64) {
        self.init(.auditRecorded, of: .auditEntry(serial), occurredAt: entry.at, at: entry.at)
    }

    /// Nil unless a block began; a renewed block is no new one.
    public init?(_ traffic: Traffic, was before: Traffic, of prefix: String, at now: Timestamp) {
        guard traffic.blockedUntil != nil, before.blockedUntil == nil else { return nil }
        self.init(.guardBlocked, of: .prefix(prefix), occurredAt: now, at: now)
    }

    /// Whether the event still holds. What was undone meanwhile, as when an operator has a message retried, would
    /// contradict the payload. `content` is what the event is about, as it is now.
    public func isConfirmed(by content: EventContent) -> Bool {
        switch content {
        case .verification(let verification): kind == Kind(verification)
        case .message(_, let verification) where kind == .messageFeedback: verification.recordedStatus == .approved
        case .message(let message, _): kind == Kind(message)
        // Nothing undoes these: an account stays, and a block that was lifted did begin.
        case .account, .traffic, .auditEntry: true
        }
    }
}

extension Event.Kind {
    fileprivate init?(_ verification: Verification) {
        switch verification.recordedStatus {
        case .pending, .canceled: return nil
        case .approved: self = .verificationApproved
        case .expired, .failed, .maxAttemptsReached: self = .verificationFailed
        }
    }

    fileprivate init?(_ message: OutboxMessage) {
        guard !message.isWithheld, !message.isNotice else { return nil }
        switch message.status {
        case .queued, .sent, .unknown, .dropped, .withheld: return nil
        case .delivered: self = .messageDelivered
        case .undelivered, .failed: self = .messageUndelivered
        }
    }
}

public enum EventContent: Hashable, Sendable {
    case verification(Verification)
    /// The message with the verification that it belongs to. Of feedback, the message that carried the code
    /// (``OutboxMessage/mayHaveCarriedCode``), the last if there are several.
    case message(OutboxMessage, Verification)
    case account(Account)
    /// ``Traffic/none`` if nothing is known of the prefix any more.
    case traffic(prefix: String, Traffic)
    case auditEntry(serial: Int64, AuditEntry)
}

/// The kinds of events that a store writes when something changes, and the notification about new ones.
public struct EventSubscription: Sendable {
    public let kinds: Set<Event.Kind>
    /// Called once events are committed, from any thread.
    public let announced: @Sendable () -> Void

    public init(to kinds: Set<Event.Kind>, announced: @escaping @Sendable () -> Void = {}) {
        (self.kinds, self.announced) = (kinds, announced)
    }

    /// Whether each entry of the audit log is an event.
    public var announcesAudit: Bool { kinds.contains(.auditRecorded) }

    public static let none = EventSubscription(to: [])
}
