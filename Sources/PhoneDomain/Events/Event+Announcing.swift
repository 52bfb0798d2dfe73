/// What changes announce: each takes what was before and what is after, and whoever keeps the change keeps the event with
/// it.
///
/// Test numbers announce as others do, or nobody could try a receiver out; what is told says that they are.
extension Event {
    /// - Parameters:
    ///   - verification: as it is now.
    ///   - before: as it was; nil if it is new.
    ///   - now: the moment of the change.
    /// - Returns: nil if nobody need hear of it.
    public init?(_ verification: Verification, was before: Verification?, at now: Timestamp) {
        guard verification.recordedStatus != before?.recordedStatus else { return nil }
        let kind: Kind
        // When it ended, and not when it was found out.
        var moment = now
        switch verification.recordedStatus {
        case .pending, .canceled: return nil
        case .approved: kind = .verificationApproved
        case .failed, .maxAttemptsReached: kind = .verificationFailed
        case .expired:
            kind = .verificationFailed
            moment = min(verification.end, now)
        }
        self.init(kind, of: .verification(verification.id), occurredAt: moment, at: now)
    }

    /// A message that the guard withholds announces nothing, whatever becomes of it: it went to no gateway.
    ///
    /// - Parameters:
    ///   - message: as it is now.
    ///   - before: as it was; nil if it is new.
    ///   - now: the moment of the change.
    /// - Returns: nil if nobody need hear of it.
    public init?(_ message: OutboxMessage, was before: OutboxMessage?, at now: Timestamp) {
        guard message.status != before?.status, !message.isWithheld else { return nil }
        let kind: Kind
        switch message.status {
        case .queued, .sent, .dropped, .withheld: return nil
        case .delivered: kind = .messageDelivered
        case .undelivered, .failed: kind = .messageUndelivered
        }
        // A gateway's later word comes in a trace of its own, or in none.
        self = Event(kind, of: .message(message.id), occurredAt: now, at: now).belonging(to: message.traceParent)
    }

    /// - Parameters:
    ///   - account: that was made.
    ///   - now: the moment of the change.
    public init(made account: Account, at now: Timestamp) {
        self.init(.accountCreated, of: .account(account.id), occurredAt: account.createdAt, at: now)
    }

    /// A block that is renewed is no new one.
    ///
    /// - Parameters:
    ///   - traffic: of the prefix, as it is now.
    ///   - before: as it was.
    ///   - prefix: which one.
    ///   - now: the moment of the change.
    /// - Returns: nil if no block began.
    public init?(_ traffic: Traffic, was before: Traffic, of prefix: String, at now: Timestamp) {
        guard traffic.blockedUntil != nil, before.blockedUntil == nil else { return nil }
        self.init(.guardBlocked, of: .prefix(prefix), occurredAt: now, at: now)
    }
}
