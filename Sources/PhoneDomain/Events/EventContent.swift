/// What is told of an ``Event``: the rows that it is about.
public enum EventContent: Hashable, Sendable {
    /// The verification.
    case verification(Verification)
    /// The message, and the verification that it belongs to.
    case message(OutboxMessage, Verification)
    /// The account.
    case account(Account)
    /// The prefix and its traffic, ``Traffic/none`` if nothing is known of it any more.
    case traffic(prefix: String, Traffic)
}
