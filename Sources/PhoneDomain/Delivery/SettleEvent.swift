public struct EventClaim: Hashable, Sendable {
    public let event: Event
    public let content: EventContent
    public init(event: Event, content: EventContent) { (self.event, self.content) = (event, content) }
}

public struct SettleEvent: Sendable {
    public let id: EventID
    /// The attempt that this settles (``Event/attempts`` at the claim). If the lease expired and another claimed the
    /// event since, that claim's result counts.
    public let attempt: Int
    public let result: EventResult

    public init(id: EventID, attempt: Int, result: EventResult) {
        (self.id, self.attempt, self.result) = (id, attempt, result)
    }

    /// A delivered event becomes nil, and is to be deleted. Returns whether anything changed and must be saved.
    public func apply(to event: inout Event?) -> Bool {
        guard var found = event, found.status == .queued, found.attempts == attempt else { return false }
        switch result {
        case .delivered:
            event = nil
            return true
        case .retry(let moment, let failure): found.postpone(until: moment, failure)
        case .failed(let failure): found.fail(failure)
        }
        event = found
        return true
    }
}

/// The result of an attempt to deliver an event. Failures are fixed phrases and never the receiver's own.
public enum EventResult: Hashable, Sendable {
    case delivered
    /// Rejected, but may be accepted at this time.
    case retry(at: Timestamp, failure: String)
    /// Rejected for good, or tried often enough.
    case failed(String)
}

/// Redelivers an event that failed, on an operator's request.
public struct RetryEvent: Sendable {
    public enum Outcome: Hashable, Sendable {
        case queued(Event)
        case refused(Refusal)
    }

    /// Raw values are for programs.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// There is no such event: there never was, or it was delivered.
        case notFound = "not_found"
        case notFailed = "not_failed"
    }

    public let id: EventID
    public let now: Timestamp
    public init(id: EventID, now: Timestamp) { (self.id, self.now) = (id, now) }

    public func apply(to event: inout Event?) -> Outcome {
        guard var found = event else { return .refused(.notFound) }
        guard found.status == .failed else { return .refused(.notFailed) }
        found.requeue(at: now)
        event = found
        return .queued(found)
    }
}
