/// A message that a gateway took and has said nothing of since, as far as it takes to ask.
public struct SentMessage: Hashable, Sendable {
    /// Its name.
    public let id: OutboxMessage.ID
    /// When it was queued.
    public let createdAt: Timestamp
    /// The gateway's own name for it.
    public let gatewayMessageID: String

    /// A message of these parts.
    public init(id: OutboxMessage.ID, createdAt: Timestamp, gatewayMessageID: String) {
        self.id = id
        self.createdAt = createdAt
        self.gatewayMessageID = gatewayMessageID
    }
}
