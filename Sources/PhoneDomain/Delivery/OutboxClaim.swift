/// A message taken for sending, with what is needed to send it.
public struct OutboxClaim: Hashable, Sendable {
    /// The message, as it stands after the claim.
    public let message: OutboxMessage
    /// The verification whose code it bears, or by which the change came about that it tells of.
    public let verification: Verification
    /// The change that it tells of (``OutboxMessage/numberChangeID``); nil for a message that bears a code, and where the
    /// change is no more.
    public let change: NumberChange?

    /// A claim on this message.
    public init(message: OutboxMessage, verification: Verification, change: NumberChange? = nil) {
        self.message = message
        self.verification = verification
        self.change = change
    }
}
