/// Asks for messages that a gateway took and of which nothing is known yet, oldest first.
///
/// What was never confirmed to be taken has no name that the gateway could be asked by, and is not among them.
public struct AwaitedReceipts: Hashable, Sendable {
    /// The name of the gateway that took them.
    public let gateway: String
    /// They were queued after this moment.
    public let after: Timestamp
    /// They were queued at this moment or before.
    public let through: Timestamp
    /// The last one of the page before, behind which this page begins; nil for the first.
    public let last: SentMessage?
    /// How many at most; none if it is negative.
    public let limit: Int

    /// A question of these parts.
    public init(gateway: String, after: Timestamp, through: Timestamp, behind last: SentMessage? = nil, limit: Int) {
        self.gateway = gateway
        self.after = after
        self.through = through
        self.last = last
        self.limit = limit
    }

    /// The message, if it is one of those that are asked for, whatever the limit.
    public func match(_ message: OutboxMessage) -> SentMessage? {
        guard message.status == .sent, message.gateway == gateway, let name = message.gatewayMessageID,
            after < message.createdAt, message.createdAt <= through
        else { return nil }
        let sent = SentMessage(id: message.id, createdAt: message.createdAt, gatewayMessageID: name)
        if let last, sent.order <= last.order { return nil }
        return sent
    }
}

extension SentMessage {
    /// The order of pages: by moment, then by name.
    public var order: (Timestamp, String) { (createdAt, id.description) }
}
