public import PhoneDomain

/// A gateway's later word on a message that it took.
public struct DeliveryReceipt: Hashable, Sendable {
    /// How a message fared.
    public typealias Outcome = RecordReceipt.Outcome

    /// The gateway's own name for the message (``GatewayReceipt/messageID``).
    public let messageID: String
    /// How the message fared.
    public let outcome: Outcome

    /// A receipt of these parts.
    public init(messageID: String, outcome: Outcome) {
        self.messageID = messageID
        self.outcome = outcome
    }
}
