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

    /// Whom the message is for; nil for a notice that there is nobody to give to any more.
    public var recipient: PhoneNumber? {
        message.isNotice ? change?.oldNumber : verification.phoneNumber
    }

    /// Whether anybody is still to have it: a code as long as it can be used, a notice as long as the change can be undone.
    public func isWorthSending(at now: Timestamp) -> Bool {
        message.isNotice ? change?.isUndoable(at: now) ?? false : verification.status(at: now) == .pending
    }

    /// From when on it is not worth sending, whatever happens.
    public var end: Timestamp {
        message.isNotice ? change?.undoableUntil ?? message.createdAt : verification.end
    }
}
