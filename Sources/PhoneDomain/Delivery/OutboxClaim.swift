/// A message taken for sending, with what is needed to send it.
public struct OutboxClaim: Hashable, Sendable {
    /// The message, as it stands after the claim.
    public let message: OutboxMessage
    /// The verification whose code it bears.
    public let verification: Verification

    /// A claim on this message.
    public init(message: OutboxMessage, verification: Verification) {
        self.message = message
        self.verification = verification
    }
}
