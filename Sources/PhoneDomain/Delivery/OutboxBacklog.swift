/// What the outbox owes at a moment: the messages that are queued, due or not.
public struct OutboxBacklog: Hashable, Sendable {
    /// How many there are.
    public let count: Int
    /// When the one was queued that waits the longest; nil if there is none.
    public let oldest: Timestamp?

    /// A backlog of these parts.
    public init(count: Int, oldest: Timestamp?) {
        self.count = count
        self.oldest = oldest
    }
}
