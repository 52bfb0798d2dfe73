/// Records what a gateway says, after it took a message, of how the message fared.
///
/// Receipts come late, repeated and out of order; only the first that settles the matter changes anything.
public struct RecordReceipt: Sendable {
    /// How a message fared.
    public enum Outcome: Hashable, Sendable {
        /// It is on the phone.
        case delivered
        /// It was lost, with the gateway's error code if it gave one.
        case undelivered(code: Int?)
    }

    /// The name of the gateway that says so.
    public let gateway: String
    /// The gateway's own name for the message.
    public let gatewayMessageID: String
    /// How it fared.
    public let outcome: Outcome
    /// The moment.
    public let now: Timestamp

    /// A receipt of these parts.
    public init(gateway: String, gatewayMessageID: String, outcome: Outcome, now: Timestamp) {
        self.gateway = gateway
        self.gatewayMessageID = gatewayMessageID
        self.outcome = outcome
        self.now = now
    }

    /// Moves the message on, if this gateway took it under this name and nothing was said of it yet.
    ///
    /// - Returns: whether anything changed and must be kept.
    public func apply(to message: inout OutboxMessage) -> Bool {
        guard message.status == .sent, message.gateway == gateway, message.gatewayMessageID == gatewayMessageID else {
            return false
        }
        message.record(outcome)
        return true
    }
}
