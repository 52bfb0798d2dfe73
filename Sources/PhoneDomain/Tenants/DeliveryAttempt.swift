/// A message and the verification that it was for: what Twilio calls a verification attempt
/// (https://www.twilio.com/docs/verify/api/list-verification-attempts).
public struct DeliveryAttempt: Hashable, Sendable {
    /// The message.
    public let message: OutboxMessage
    /// What it was for.
    public let verification: Verification

    /// An attempt of these parts.
    public init(message: OutboxMessage, verification: Verification) {
        self.message = message
        self.verification = verification
    }

    /// Whether the number was proven.
    public var isConverted: Bool { verification.recordedStatus == .approved }
}

/// A tenant's verification with the messages that it had sent.
public struct SentVerification: Hashable, Sendable {
    public let verification: Verification
    /// Oldest first.
    public let messages: [OutboxMessage]

    public init(verification: Verification, messages: [OutboxMessage]) {
        self.verification = verification
        self.messages = messages
    }
}
