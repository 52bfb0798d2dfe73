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
        guard verification.recordedStatus != before?.recordedStatus, let kind = Kind(verification) else { return nil }
        // When it ended, and not when it was found out.
        let moment = verification.recordedStatus == .expired ? min(verification.end, now) : now
        self.init(kind, of: .verification(verification.id), occurredAt: moment, at: now)
    }

    /// A message that the guard withholds announces nothing, whatever becomes of it: it went to no gateway. Neither does a
    /// notice, which is of no verification in progress.
    ///
    /// - Parameters:
    ///   - message: as it is now.
    ///   - before: as it was; nil if it is new.
    ///   - now: the moment of the change.
    /// - Returns: nil if nobody need hear of it.
    public init?(_ message: OutboxMessage, was before: OutboxMessage?, at now: Timestamp) {
        guard message.status != before?.status, let kind = Kind(message) else { return nil }
        // A gateway's later word comes in a trace of its own, or in none.
        self = Event(kind, of: .message(message.id), occurredAt: now, at: now).belonging(to: message.traceParent)
    }

    /// - Parameters:
    ///   - account: that was made.
    ///   - now: the moment of the change.
    public init(made account: Account, at now: Timestamp) {
        self.init(.accountCreated, of: .account(account.id), occurredAt: account.createdAt, at: now)
    }

    /// - Parameters:
    ///   - account: as it is now.
    ///   - before: as it was.
    ///   - now: the moment of the change.
    /// - Returns: nil unless it got another number: that it lost one is nothing that its holder did.
    public init?(_ account: Account, was before: Account, at now: Timestamp) {
        guard account.phoneNumber != before.phoneNumber, account.phoneNumber != nil else { return nil }
        self.init(.numberChanged, of: .account(account.id), occurredAt: now, at: now)
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

extension Event {
    /// Whether it is still so. What was undone meanwhile, as when an operator has a message tried again, would contradict
    /// what is told with it.
    ///
    /// - Parameter content: what the event is about, as it is now.
    public func isBorneOut(by content: EventContent) -> Bool {
        switch content {
        case .verification(let verification): kind == Kind(verification)
        case .message(let message, _): kind == Kind(message)
        // Nothing undoes these: an account stays, and a block that was lifted did begin.
        case .account, .traffic: true
        }
    }
}

extension Event.Kind {
    /// What the state of a verification announces, or nil.
    fileprivate init?(_ verification: Verification) {
        switch verification.recordedStatus {
        case .pending, .canceled: return nil
        case .approved: self = .verificationApproved
        case .expired, .failed, .maxAttemptsReached: self = .verificationFailed
        }
    }

    /// What the state of a message announces, or nil.
    fileprivate init?(_ message: OutboxMessage) {
        guard !message.isWithheld, !message.isNotice else { return nil }
        switch message.status {
        case .queued, .sent, .unknown, .dropped, .withheld: return nil
        case .delivered: self = .messageDelivered
        case .undelivered, .failed: self = .messageUndelivered
        }
    }
}
