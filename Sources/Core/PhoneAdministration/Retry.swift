public import PhoneAccounts
public import PhoneDomain
import PhoneNumbers
public import PhoneSignup

public struct RetryMessage: Command {
    public struct State: Sendable {
        public var message: OutboxMessage?
        public var verification: Verification?
        /// The change of number that the message is a notice of, if it still exists.
        public let change: NumberChange?
        public var audit: AuditEntry?

        public init(message: OutboxMessage?, verification: Verification?, change: NumberChange? = nil) {
            (self.message, self.verification, self.change) = (message, verification, change)
        }
    }

    public enum Refusal: String, Error {
        case notFound = "not_found"
        /// It is still queued, or a gateway accepted it.
        case notFailed = "not_failed"
        case expired
        /// The verification ended otherwise: nobody waits for the code.
        case verificationClosed = "verification_closed"
        /// It is about a change of number that can no longer be undone.
        case changeClosed = "change_closed"
    }

    public let id: OutboxMessage.ID
    /// Those that it is counted in again; an operator's act is refused by none.
    public let limits: LimitPolicy
    public let now: Timestamp
    private let author: Operator

    public init(
        id: OutboxMessage.ID,
        limits: LimitPolicy = .none,
        now: Timestamp,
        by author: Operator = Operator()
    ) {
        (self.id, self.limits, self.now, self.author) = (id, limits, now, author)
    }

    /// Queues a message that failed, was dropped, or may or may not have been accepted, if its code is still worth
    /// sending. A verification that failed with its message is pending again: its code, its checks and its expiry stay
    /// as they were.
    public func apply(to state: inout State) -> Result<OutboxMessage, Refusal> {
        guard var found = state.message, var owner = state.verification else { return .failure(.notFound) }
        switch found.status {
        case .queued, .sent, .delivered, .undelivered, .withheld: return .failure(.notFailed)
        case .failed where !found.isNotice: owner.reopen(for: found, at: now)
        case .unknown, .failed, .dropped: break
        }
        if found.isNotice {
            guard let change = state.change, change.isUndoable(at: now) else { return .failure(.changeClosed) }
        } else {
            switch owner.status(at: now) {
            case .pending: break
            case .expired: return .failure(.expired)
            case .approved, .canceled, .failed, .maxAttemptsReached: return .failure(.verificationClosed)
            }
        }
        found.requeue(at: now)
        (state.message, state.verification, state.audit) = (found, owner, entry(of: owner))
        return .success(found)
    }

    /// Found by the verification, not the number: an operator has no keys.
    private func entry(of verification: Verification) -> AuditEntry {
        AuditEntry(
            at: now,
            action: .retry,
            owner: author.owner,
            address: author.address,
            verificationID: verification.id,
            maskedNumber: verification.phoneNumber.masked,
            region: verification.phoneNumber.region,
            reason: author.reason
        )
    }
}

public struct RetryEvent: Command {
    public enum Refusal: Error {
        /// There is no such event: there never was, or it was delivered.
        case notFound
        case notFailed
    }

    public let id: EventID
    public let now: Timestamp
    public init(id: EventID, now: Timestamp) { (self.id, self.now) = (id, now) }

    public func apply(to event: inout Event?) -> Result<Event, Refusal> {
        guard var found = event else { return .failure(.notFound) }
        guard found.status == .failed else { return .failure(.notFailed) }
        found.requeue(at: now)
        event = found
        return .success(found)
    }
}
