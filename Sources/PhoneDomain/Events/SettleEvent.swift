/// Records what came of an attempt to tell an event.
public struct SettleEvent: Sendable {
    /// The event's name.
    public let id: EventID
    /// Which attempt this settles (``Event/attempts`` at the claim). If somebody has claimed the event since, because this
    /// one took too long, the word is theirs.
    public let attempt: Int
    /// What came of it.
    public let result: EventResult

    /// The result of one attempt.
    public init(id: EventID, attempt: Int, result: EventResult) {
        self.id = id
        self.attempt = attempt
        self.result = result
    }

    /// Settles the event; one that was told is nil from then on, and is to be deleted.
    ///
    /// - Returns: whether anything changed and must be kept.
    public func apply(to event: inout Event?) -> Bool {
        guard var found = event, found.status == .queued, found.attempts == attempt else { return false }
        switch result {
        case .delivered:
            event = nil
            return true
        case .retry(let moment, let failure): found.postpone(until: moment, failure)
        case .failed(let failure): found.setAside(failure)
        }
        event = found
        return true
    }
}
