/// Has a message that was set aside tried once more, at an operator's wish.
public struct RetryMessage: Sendable {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It is owed again, and due at once.
        case queued(OutboxMessage)
        /// It stays as it was.
        case refused(Refusal)
    }

    /// Why a message is not tried once more. The raw values are for programs.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// There is no such message.
        case notFound = "not_found"
        /// It is still owed, or a gateway took it.
        case notFailed = "not_failed"
        /// The code that it bears has expired.
        case expired
        /// The verification ended otherwise: nobody waits for the code.
        case verificationClosed = "verification_closed"
        /// It tells of a change of number that cannot be undone any more.
        case changeClosed = "change_closed"
    }

    /// The message's name.
    public let id: OutboxMessage.ID
    /// The moment.
    public let now: Timestamp

    /// A wish to have this message tried once more.
    public init(id: OutboxMessage.ID, now: Timestamp) {
        self.id = id
        self.now = now
    }

    /// Queues a message that failed, was dropped, or of which nobody knows whether a gateway took it, if its code is still worth sending. A verification that failed with
    /// its message is pending again: its code, its checks and its end stay as they were.
    ///
    /// - Parameter change: the change that the message tells of, if it is a notice and the change is still there.
    public func apply(
        to message: inout OutboxMessage?,
        _ verification: inout Verification?,
        _ change: NumberChange? = nil
    ) -> Outcome {
        if let found = message, found.isNotice { return applyToNotice(found, &message, change) }
        guard var found = message, var owner = verification else { return .refused(.notFound) }
        switch found.status {
        case .queued, .sent, .delivered, .undelivered, .withheld: return .refused(.notFailed)
        case .failed: owner.reopen(at: now)
        case .unknown, .dropped: break
        }
        switch owner.status(at: now) {
        case .pending: break
        case .expired: return .refused(.expired)
        case .approved, .canceled, .failed, .maxAttemptsReached: return .refused(.verificationClosed)
        }
        found.requeue(at: now)
        message = found
        verification = owner
        return .queued(found)
    }

    private func applyToNotice(
        _ notice: OutboxMessage,
        _ message: inout OutboxMessage?,
        _ change: NumberChange?
    ) -> Outcome {
        switch notice.status {
        case .queued, .sent, .delivered, .undelivered, .withheld: return .refused(.notFailed)
        case .unknown, .failed, .dropped: break
        }
        guard let change, change.isUndoable(at: now) else { return .refused(.changeClosed) }
        var requeued = notice
        requeued.requeue(at: now)
        message = requeued
        return .queued(requeued)
    }
}

extension RetryMessage {
    /// The line for the audit trail, if the message is tried once more. It is found by the verification, and not by the
    /// number: an operator's command needs no keys.
    public func entry(for outcome: Outcome, of verification: Verification) -> AuditEntry? {
        guard case .queued = outcome else { return nil }
        return AuditEntry(
            at: now,
            action: .retry,
            owner: .local,
            address: nil,
            verificationID: verification.id,
            maskedNumber: verification.phoneNumber.masked,
            numberDigest: nil,
            prefixDigest: nil,
            region: verification.phoneNumber.region
        )
    }
}

extension Verification {
    /// Takes back ``fail(at:)``.
    fileprivate mutating func reopen(at now: Timestamp) {
        guard recordedStatus == .failed else { return }
        recordedStatus = .pending
        updatedAt = now
    }
}
