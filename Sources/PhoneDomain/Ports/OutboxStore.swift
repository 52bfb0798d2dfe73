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
}
