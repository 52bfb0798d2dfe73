/// Records what came of an attempt to send a message.
public struct SettleMessage: Sendable {
    /// The message's name.
    public let id: OutboxMessage.ID
    /// Which attempt this settles (``OutboxMessage/attempts`` at the claim). If somebody has claimed the message
    /// since, because this one took too long, the word is theirs.
    public let attempt: Int
    /// What came of it.
    public let result: DeliveryResult
    /// The moment.
    public let now: Timestamp

    /// The result of one attempt.
    public init(id: OutboxMessage.ID, attempt: Int, result: DeliveryResult, now: Timestamp) {
        self.id = id
        self.attempt = attempt
        self.result = result
        self.now = now
    }

    /// Settles the message, and with it, where no gateway will have it, the verification: that ends only if none of its
    /// messages was ever taken by a gateway, since a person who has the code may still give it.
    ///
    /// - Returns: whether anything changed and must be kept.
    public func apply(to message: inout OutboxMessage, _ verification: inout Verification) -> Bool {
        guard message.status == .queued, message.attempts == attempt else { return false }
        message.settle(result)
        // What becomes of a notice says nothing of the verification, which is over.
        if message.isNotice { return true }
        switch result {
        // Where nobody knows, the person may have the code.
        case .sent, .unknown, .withheld: verification.recordAcceptance(at: now)
        // One that a gateway has taken before may still arrive.
        case .failed where verification.acceptedAt == nil: verification.fail(at: now)
        case .failed, .retry, .postponed, .dropped: break
        }
        return true
    }
}
