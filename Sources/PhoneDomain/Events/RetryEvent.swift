/// Has an event that was set aside told after all, at an operator's wish.
public struct RetryEvent: Sendable {
    /// What came of it.
    public enum Outcome: Hashable, Sendable {
        /// It is to be told again, and due at once.
        case queued(Event)
        /// It stays as it was.
        case refused(Refusal)
    }

    /// Why an event is not tried once more. The raw values are for programs.
    public enum Refusal: String, Hashable, Sendable, CaseIterable {
        /// There is no such event: there never was, or it was told.
        case notFound = "not_found"
        /// It is still to be told.
        case notFailed = "not_failed"
    }

    /// The event's name.
    public let id: EventID
    /// The moment.
    public let now: Timestamp

    /// A wish to have this event tried once more.
    public init(id: EventID, now: Timestamp) {
        self.id = id
        self.now = now
    }

    /// Queues an event that failed.
    public func apply(to event: inout Event?) -> Outcome {
        guard var found = event else { return .refused(.notFound) }
        guard found.status == .failed else { return .refused(.notFailed) }
        found.requeue(at: now)
        event = found
        return .queued(found)
    }
}
