public import PhoneSignup

public struct SettleMessage: Command {
    public struct State: Sendable {
        public var message: OutboxMessage?
        public var verification: Verification?

        public init(message: OutboxMessage?, verification: Verification?) {
            (self.message, self.verification) = (message, verification)
        }
    }

    public let id: OutboxMessage.ID
    /// The attempt that this settles (``OutboxMessage/attempts`` at the claim). If the lease expired and another
    /// claimed the message since, that claim's result counts.
    public let attempt: Int
    public let result: DeliveryResult
    /// The limits that the message was counted in, to which a message that was not sent is given back.
    public let limits: LimitPolicy
    public let now: Timestamp

    public init(
        id: OutboxMessage.ID,
        attempt: Int,
        result: DeliveryResult,
        limits: LimitPolicy = .none,
        now: Timestamp
    ) {
        (self.id, self.attempt, self.result) = (id, attempt, result)
        (self.limits, self.now) = (limits, now)
    }

    /// Settles the message, and the verification if no gateway will accept the message: it fails only if no gateway
    /// ever accepted one of its messages, since a person who has the code may still submit it. Answers whether the
    /// attempt still counted.
    public func apply(to state: inout State) -> Result<Bool, Never> {
        guard var message = state.message, var verification = state.verification, message.status == .queued,
            message.attempts == attempt
        else { return .success(result.isWaiting) }
        message.settle(result, at: now)
        // A notice does not affect the verification, which has ended.
        if !message.isNotice {
            switch result {
            // If the result is unknown, the person may have the code.
            case .sent, .unknown: verification.recordAcceptance(at: now, isCodeSent: true)
            case .withheld: verification.recordAcceptance(at: now)
            case .failed: verification.recordRefusal(of: message, at: now)
            case .retry, .postponed, .waiting, .dropped: verification.recordWait(of: message)
            }
        }
        state = State(message: message, verification: verification)
        return .success(true)
    }
}

/// The result of an attempt to send a message.
/// Failures are fixed phrases and never a gateway's own, which quote number and text.
public enum DeliveryResult: Hashable, Sendable {
    /// A gateway accepted it. Few report the outcome at once, some later in a receipt, and others never. `refusals` is
    /// what gateways before it answered, or why they were not asked.
    case sent(
        gateway: String,
        gatewayMessageID: String?,
        outcome: RecordReceipt.Outcome? = nil,
        awaitsReceipt: Bool = true,
        cost: Int? = nil,
        pollingID: String? = nil,
        refusals: String? = nil
    )
    /// A gateway may have accepted it, and a repeat is unsafe, or was tried too often or for too long.
    case unknown(gateway: String, failure: String)
    /// Is to be retried at this time: by `gateway` alone if that is idempotent and may have it already, else by any.
    case retry(at: Timestamp, failure: String, gateway: String? = nil)
    /// No gateway was asked, since none can be reached; one may be at this time. The attempt does not count. `failure`
    /// is why; nil leaves what was known.
    case postponed(until: Timestamp, failure: String? = nil)
    /// It is recorded that it waits for its turn (``TakeTurn``).
    case waiting(until: Timestamp)
    /// The reason, and the gateway whose refusal ended it, if it was one.
    case failed(String, gateway: String? = nil)
    case dropped
    case withheld

    var isWaiting: Bool { if case .waiting = self { true } else { false } }
}
