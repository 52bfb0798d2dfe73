/// A place that whoever sends messages in this process keeps for one that is about to be queued.
///
/// The message is claimed in the very transaction that queues it (``BeginVerification/lease``), so nobody has to look for it.
/// Nor is it lost with the process: when its lease is over, whoever looks next takes it, as after any claim.
public struct MessagePlace: Sendable {
    /// How long nobody else takes the message.
    public let lease: Duration
    private let take: @Sendable (OutboxClaim?) -> Void

    /// - Parameters:
    ///   - lease: how long nobody else takes the message.
    ///   - take: sends it; nil gives the place back. Called once.
    public init(lease: Duration, take: @escaping @Sendable (OutboxClaim?) -> Void) {
        self.lease = lease
        self.take = take
    }

    /// Call once: with the message when it is kept, or with nil when there is none, or nobody knows.
    public func fill(with claim: OutboxClaim?) {
        take(claim)
    }
}
