public import PhoneDomain

/// A gateway's later word on a message that it took.
public struct DeliveryReceipt: Hashable, Sendable {
    /// The gateway's own name for the message (``GatewayReceipt/messageID``).
    public let messageID: String
    /// How the message fared.
    public let outcome: RecordReceipt.Outcome

    /// A receipt of these parts.
    public init(messageID: String, outcome: RecordReceipt.Outcome) {
        self.messageID = messageID
        self.outcome = outcome
    }
}
