/// The messages that are owed. Every method throws if the store cannot be reached or cannot write.
public protocol OutboxStore: Sendable {
    /// Takes up to `limit` messages that are due, oldest first, so that nobody else takes them before `end`.
    func claim(limit: Int, at now: Timestamp, until end: Timestamp) async throws -> [OutboxClaim]

    /// Records what came of an attempt.
    ///
    /// - Returns: whether the attempt still counted (``SettleMessage/attempt``).
    func settle(_ command: SettleMessage) async throws -> Bool

    /// When the next queued message is due, or nil if none is queued.
    func nextAttempt() async throws -> Timestamp?

    /// How many messages are queued, and since when the oldest is.
    func backlog() async throws -> OutboxBacklog

    /// The messages of this status, or all, newest first (by ``OutboxMessage/createdAt``, then by name), each with its
    /// verification; at most `limit`, none if it is negative.
    func messages(status: OutboxMessage.Status?, limit: Int) async throws -> [OutboxClaim]

    /// Has a message that was set aside tried once more.
    func retry(_ command: RetryMessage) async throws -> RetryMessage.Outcome

    /// Records a gateway's receipt for the message that it names.
    ///
    /// - Returns: whether there was such a message and the receipt changed anything (``RecordReceipt``).
    func record(_ command: RecordReceipt) async throws -> Bool

    /// The messages that a gateway took and of which nothing is known yet, by ``SentMessage/order``.
    func awaitingReceipts(_ question: AwaitedReceipts) async throws -> [SentMessage]
}
