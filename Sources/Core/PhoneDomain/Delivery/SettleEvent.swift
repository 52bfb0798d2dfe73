public import PhoneSignup

public struct EventClaim: Hashable, Sendable {
    public let event: Event
    public let content: EventContent
    public init(event: Event, content: EventContent) { (self.event, self.content) = (event, content) }
}

public struct SettleEvent: Command {
    public let id: EventID
    /// The attempt that this settles (``Event/attempts`` at the claim). If the lease expired and another claimed the
    /// event since, that claim's result counts.
    public let attempt: Int
    public let result: EventResult

    public init(id: EventID, attempt: Int, result: EventResult) {
        (self.id, self.attempt, self.result) = (id, attempt, result)
    }

    /// A delivered event becomes nil, and is deleted. Answers whether the attempt still counted.
    public func apply(to event: inout Event?) -> Result<Bool, Never> {
        guard let found = event, found.status == .queued, found.attempts == attempt else { return .success(false) }
        event = found.settled(by: result)
        return .success(true)
    }
}

/// Records what a gateway answered to feedback, for operators (``OutboxMessage/feedback``).
public struct RecordFeedback: Command {
    public let id: OutboxMessage.ID
    public let answer: String

    public init(_ answer: String, of id: OutboxMessage.ID) { (self.answer, self.id) = (answer, id) }

    public func apply(to message: inout OutboxMessage?) -> Result<Void, Never> {
        message?.record(feedback: answer)
        return .success(())
    }
}

/// The result of an attempt to deliver an event. Failures are fixed phrases and never the receiver's own.
public enum EventResult: Hashable, Sendable {
    case delivered
    case retry(at: Timestamp, failure: String)
    /// Rejected for good, or tried often enough.
    case failed(String)
}
